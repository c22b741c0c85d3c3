import { describe, expect, it } from 'vitest';
import { asRecord, type LooseRecord } from '../../../../kernel/json/loose.ts';
import { readConfig } from '../../config/rules/read.ts';
import type { HistoryRow } from '../../records.ts';
import { SMALL_CONFIG } from '../../testing.ts';
import { type GateEvidence, gateFilePaths, judgeGate } from './predicates.ts';

const none: GateEvidence = { files: new Map(), verificationStatus: 'pass', history: [] };

function judged(
  { gate = {}, artifacts = [] }: { gate?: LooseRecord; artifacts?: readonly LooseRecord[] },
  evidence: Partial<GateEvidence> = {},
) {
  const config = readConfig({
    ...SMALL_CONFIG,
    gates: { ...asRecord(SMALL_CONFIG.gates), ship: gate },
    workflow_kit: { phases: { qa: { artifacts } } },
  });
  const ship = config.gates.ship;
  if (ship === undefined) throw new Error('the gate is not there');
  return { ...judgeGate(config, 'qa', ship, { ...none, ...evidence }), paths: gateFilePaths(config, 'qa') };
}

describe('a gate', () => {
  it('passes when it asks for nothing', () => {
    expect(judged({})).toEqual({
      missingFiles: [],
      failingFiles: [],
      verificationFailed: false,
      reasons: [],
      paths: [],
    });
  });

  it('misses a required file, and not an optional one', () => {
    const artifacts = [
      { path: 'docs/plan.md', required: false },
      { path: 'docs/notes.md', required: true },
    ];
    const gate = { requires_files: ['README.md'] };
    expect(judged({ gate, artifacts })).toMatchObject({
      missingFiles: ['README.md', 'docs/notes.md'],
      paths: ['README.md', 'docs/plan.md', 'docs/notes.md'],
    });
    expect(judged({ gate: { requires_files: ['docs/plan.md'] }, artifacts }).missingFiles).toEqual([
      'docs/plan.md',
      'docs/notes.md',
    ]);
  });

  it('asks nothing of the owner of an optional file that is not there', () => {
    const artifacts = [{ path: 'docs/plan.md', required: false, owned_by: 'dev' }];
    expect(judged({ artifacts }).reasons).toEqual([]);
    const files = new Map([['docs/plan.md', 'A plan']]);
    expect(judged({ artifacts }, { files }).reasons).toHaveLength(1);
    const row = (role: string, phase: string) => ({ role, phase }) as unknown as HistoryRow;
    expect(judged({ artifacts }, { files, history: [row('dev', 'qa')] }).reasons).toEqual([]);
    expect(judged({ artifacts }, { files, history: [row('dev', 'implementation')] }).reasons).toHaveLength(1);
    expect(judged({ artifacts }, { files, history: [row('qa', 'qa')] }).reasons).toHaveLength(1);
  });

  it.each([
    ['pass', false],
    ['attested_pass', false],
    ['fail', true],
    [undefined, true],
  ])('takes a verification of %s as it should', (verificationStatus, fails) => {
    const gate = { requires_verification_pass: true };
    expect(judged({ gate }, { verificationStatus }).verificationFailed).toBe(fails);
    expect(judged({}, { verificationStatus }).verificationFailed).toBe(false);
  });
});
