/** Plays agents that speak through a relay, and judges what the trace backend recorded. */
export { BACKENDS, type BackendName } from './backend.ts';
export { type HarnessReport, harnessText, runHarness } from './harness.ts';
export { openBackend } from './known-backends.ts';
