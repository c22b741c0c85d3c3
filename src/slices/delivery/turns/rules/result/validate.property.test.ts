import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../config/rules/read.ts';
import { validateConfig } from '../../../config/rules/validate.ts';
import { containedPath, isReservedPath } from '../../../path-rules.ts';
import { idleState } from '../../../run-state.ts';
import { activeTurn } from '../../../testing.ts';
import { validateTurnResult } from './validate.ts';

const RUNS = process.env.BATON_PROVE === '1' ? 20_000 : 500;
const config = readConfig({
  roles: { dev: { write_authority: 'authoritative', runtime: 'manual' } },
  runtimes: { manual: { type: 'manual' } },
});
const turn = activeTurn();
const state = {
  ...idleState('p', 'implementation'),
  run_id: 'run_1',
  status: 'active' as const,
  active_turns: { turn_1: turn },
};
const context = { state, config, turn, history: [], takenDecisionIds: new Set<string>() };

const FIELDS = [
  'schema_version',
  'run_id',
  'turn_id',
  'role',
  'runtime_id',
  'status',
  'summary',
  'decisions',
  'objections',
  'files_changed',
  'verification',
  'artifact',
  'proposed_next_role',
  'delegations',
  'proposed_changes',
  'cost',
  'phase_transition_request',
  'run_completion_request',
  '__proto__',
];

describe('whatever an agent stages', () => {
  it('is judged without an exception and without being touched', () => {
    const anything = fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom(...FIELDS), fc.jsonValue()));
    fc.assert(
      fc.property(anything, (staged) => {
        const before = fc.stringify(staged);
        const validation = validateTurnResult(staged, context);
        expect(validation.ok).toBe(validation.stagesPassed.length === 5);
        if (!validation.ok)
          expect(validation.findings.every((finding) => finding.message !== '' && finding.next !== '')).toBe(
            true,
          );
        expect(fc.stringify(staged)).toBe(before);
      }),
      { numRuns: RUNS },
    );
  });

  it('never gets a path past the repository or into the orchestrator', () => {
    const segment = fc.constantFrom(
      '..',
      '.',
      '',
      'src',
      '.agentxchain',
      'state.json',
      'History.jsonl',
      'a\\b',
      'C:',
    );
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 6 }), (segments) => {
        const path = segments.join('/');
        const contained = containedPath(path);
        if (contained === undefined) return;
        expect(contained.split('/')).not.toContain('..');
        expect(contained.startsWith('/')).toBe(false);
        expect(containedPath(contained)).toBe(contained);
        expect(isReservedPath(path)).toBe(isReservedPath(contained));
      }),
      { numRuns: RUNS },
    );
  });
});

describe('whatever a config says', () => {
  it('is judged without an exception', () => {
    const keys = [
      'schema_version',
      'project',
      'roles',
      'runtimes',
      'routing',
      'gates',
      'hooks',
      'policies',
      'budget',
      'timeouts',
      'rules',
      'workflow_kit',
      'approval_policy',
    ];
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom(...keys), fc.jsonValue())), (raw) => {
        expect(Array.isArray(validateConfig(raw))).toBe(true);
        expect(readConfig(raw).maxTurnRetries).toBeTypeOf('number');
      }),
      { numRuns: RUNS },
    );
  });
});
