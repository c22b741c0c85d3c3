import { describe, expect, it } from 'vitest';
import type { Hook } from '../config/config.ts';
import { auditHook, type HookObservation, phaseVerdict, skippedEntry } from './rules.ts';

const hook = (mode: Hook['mode']): Hook => ({ name: 'lint', type: 'process', mode, timeout_ms: 1_000 });
const context = { phase: 'before_gate', runId: 'run_1', turnId: null, now: 1_772_355_600_000_000 };
const quiet: HookObservation = {
  exitCode: 0,
  timedOut: false,
  failed: false,
  output: { verdict: 'allow' },
  stderr: '',
  durationMs: 5,
  tampered: [],
};
const audited = (mode: Hook['mode'], seen: Partial<HookObservation>) =>
  auditHook(hook(mode), { ...quiet, ...seen }, context);

describe('what a hook did', () => {
  it.each([
    [{}, 'continued', 'continued'],
    [{ output: { verdict: 'warn' } }, 'warned', 'warned'],
    [{ output: { verdict: 'block' } }, 'blocked', 'downgraded_block_to_warn'],
    [{ output: undefined }, 'blocked_invalid_output', 'warned_invalid_output'],
    [{ failed: true }, 'blocked_failure', 'warned_failure'],
    [{ timedOut: true, failed: true }, 'blocked_timeout', 'warned_timeout'],
    [{ timedOut: true, tampered: ['hook_state_tamper'] }, 'aborted_tamper', 'aborted_tamper'],
  ])('is judged by its worst: %j', (seen, blocking, advisory) => {
    expect(audited('blocking', seen).orchestrator_action).toBe(blocking);
    expect(audited('advisory', seen).orchestrator_action).toBe(advisory);
  });

  it('names what it tampered with, and nothing where it did not', () => {
    expect(audited('advisory', { tampered: ['hook_state_tamper'], output: undefined })).toMatchObject({
      message: 'Tampered: hook_state_tamper',
      tamper_codes: ['hook_state_tamper'],
    });
    const clean = audited('advisory', {});
    expect(clean.message).toBeNull();
    expect(clean).not.toHaveProperty('tamper_codes');
  });

  it.each([
    [{ verdict: 'maybe' }, false],
    [{ verdict: 'allow', message: 1 }, false],
    [{ verdict: 'allow', message: null, annotations: null }, true],
    [{ verdict: 'allow', annotations: 'none' }, false],
    [{ verdict: 'allow', annotations: Array(16).fill({ key: 'a', value: 'b' }) }, true],
    [{ verdict: 'allow', annotations: Array(17).fill({ key: 'a', value: 'b' }) }, false],
    [{ verdict: 'allow', annotations: [{ key: 'a', value: 'x'.repeat(1_000) }] }, true],
    [{ verdict: 'allow', annotations: [{ key: 'a', value: 'x'.repeat(1_001) }] }, false],
    [{ verdict: 'allow', annotations: [{ key: 'No key', value: 'b' }] }, false],
    [{ verdict: 'allow', annotations: [{ key: 'a', value: 'b' }, 'c'] }, false],
    ['allow', false],
  ])('is heard only in the form agreed: %#', (output, heard) => {
    expect(audited('blocking', { output }).orchestrator_action).toBe(
      heard ? 'continued' : 'blocked_invalid_output',
    );
  });
});

describe('a phase of hooks', () => {
  it('stops at a block and at tampering, and tells them apart', () => {
    const allowed = audited('blocking', {});
    const blocked = audited('blocking', { output: { verdict: 'block' } });
    const tampered = audited('advisory', { tampered: ['hook_state_tamper'] });
    const skipped = skippedEntry(hook('blocking'), context);
    expect(phaseVerdict([allowed])).toMatchObject({ ok: true, blocked: false });
    expect(phaseVerdict([allowed, blocked, skipped])).toMatchObject({ ok: false, blocked: true });
    expect(phaseVerdict([tampered])).toMatchObject({ ok: false, blocked: false });
    expect(skipped).not.toHaveProperty('transport');
  });
});
