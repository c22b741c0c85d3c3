/** Plays agents that speak through a relay, and judges by query what its backend kept of it. */
export { BACKENDS, type BackendName } from './backend.ts';
export { type HarnessReport, runHarness } from './harness.ts';
export { harnessText } from './harness-text.ts';
export { openBackend } from './known-backends.ts';
