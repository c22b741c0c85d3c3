import { describe, expect, it } from 'vitest';
import type { LooseRecord } from '../../../../kernel/json/loose.ts';
import type { RuntimeType } from '../../config/config.ts';
import { readConfig } from '../../config/rules/read.ts';
import type { HistoryRow } from '../../records.ts';
import { idleState } from '../../run-state.ts';
import { activeTurn, SMALL_CONFIG, turnResult } from '../../testing.ts';
import type { TurnResult } from '../turn-result.ts';
import type { AcceptanceInput } from './judge.ts';
import { normalizedVerification, policyBreaches } from './policies.ts';

const turn = activeTurn();
const resultOf = (changes: LooseRecord = {}) => turnResult(turn, changes) as unknown as TurnResult;
const rows = (...worked: readonly (readonly [string, string])[]) =>
  worked.map(([role, phase]) => ({ role, phase })) as unknown as HistoryRow[];

function isBroken(
  policy: LooseRecord,
  history: readonly HistoryRow[],
  result: LooseRecord = {},
  runtime = 'manual',
): boolean {
  const policies = [{ id: 'p', action: 'block', ...policy }];
  const config = readConfig({ ...SMALL_CONFIG, policies, runtimes: { manual: { type: runtime } } });
  const state = idleState('demo', 'qa');
  const input = { config, state, turn, history } as unknown as AcceptanceInput;
  return policyBreaches(input, resultOf(result)).length === 1;
}

describe('a policy on turns', () => {
  it('counts this turn too, in its phase or in the run', () => {
    const history = rows(['dev', 'implementation'], ['qa', 'qa']);
    expect(isBroken({ rule: 'max_turns_per_phase', params: { limit: 2 } }, history)).toBe(false);
    expect(isBroken({ rule: 'max_turns_per_phase', params: { limit: 1 } }, history)).toBe(true);
    expect(isBroken({ rule: 'max_total_turns', params: { limit: 3 } }, history)).toBe(false);
    expect(isBroken({ rule: 'max_total_turns', params: { limit: 2 } }, history)).toBe(true);
  });

  it('counts turns of one role only while no other comes between', () => {
    const limit = { rule: 'max_consecutive_same_role', params: { limit: 2 } };
    expect(isBroken(limit, rows(['dev', 'qa'], ['dev', 'qa']))).toBe(true);
    expect(isBroken(limit, rows(['dev', 'qa'], ['qa', 'qa'], ['dev', 'qa']))).toBe(false);
  });

  it('bounds the cost, and says nothing of a turn without one', () => {
    const limit = { rule: 'max_cost_per_turn', params: { limit: 1 } };
    expect(isBroken(limit, [], { cost: { usd: 1 } })).toBe(false);
    expect(isBroken(limit, [], { cost: { usd: 1.01 } })).toBe(true);
    expect(isBroken(limit, [])).toBe(false);
  });

  it('names the statuses that it takes', () => {
    const only = { rule: 'require_status', params: { allowed: ['completed'] } };
    expect(isBroken(only, [])).toBe(false);
    expect(isBroken(only, [], { status: 'blocked' })).toBe(true);
  });

  it('takes a verification that could be repeated, and no attested one', () => {
    expect(isBroken({ rule: 'require_reproducible_verification' }, [], {}, 'local_cli')).toBe(false);
    expect(isBroken({ rule: 'require_reproducible_verification' }, [], {}, 'manual')).toBe(true);
  });
});

describe('a claimed pass', () => {
  const evidence = [{ command: 'npm test', exit_code: 0 }];
  it.each([
    ['fail', 'manual', evidence, 'fail'],
    ['pass', 'manual', evidence, 'attested_pass'],
    ['pass', 'api_proxy', evidence, 'attested_pass'],
    ['pass', 'local_cli', evidence, 'pass'],
    ['pass', 'local_cli', [], 'not_reproducible'],
    ['pass', 'local_cli', undefined, 'not_reproducible'],
    ['pass', undefined, evidence, 'pass'],
  ] as const)('of %s on %s counts for what it shows', (status, runtime, machine_evidence, level) => {
    const result = resultOf({ verification: { status, machine_evidence } });
    expect(normalizedVerification(result, runtime as RuntimeType | undefined)).toBe(level);
  });
});
