/** Plays agents that speak through a relay, and judges by query what its backend kept of it. */
export { BACKENDS, type BackendName } from './backend.ts';
export { type HarnessReport, harnessText, runHarness } from './harness.ts';
export { openBackend } from './known-backends.ts';
