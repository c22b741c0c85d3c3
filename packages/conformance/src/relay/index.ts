/** Plays agents that speak through a relay, and judges by query what its backend kept of it. */
export { type HarnessReport, harnessText, runHarness } from './harness.ts';
export { openBackend } from './known-backends.ts';
