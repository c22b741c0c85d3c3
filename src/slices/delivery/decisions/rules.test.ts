import { describe, expect, it } from 'vitest';
import { asRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import { readConfig } from '../config/rules/read.ts';
import type { RepoDecision } from '../records.ts';
import { activeTurn, SMALL_CONFIG, turnResult } from '../testing.ts';
import type { TurnResult } from '../turns/turn-result.ts';
import { activeRepoDecisions, appendDecision, checkOverrides, decisionRows, promote } from './rules.ts';

const now = 1_772_355_600_000_000;
const made: LooseRecord = {
  id: 'DEC-002',
  category: 'architecture',
  statement: 'One writer',
  rationale: 'Order',
};
const resultOf = (decision: LooseRecord, changes: LooseRecord = {}) =>
  turnResult(activeTurn(), { decisions: [{ ...made, ...decision }], ...changes }) as unknown as TurnResult;
const stored = (changes: Partial<RepoDecision> = {}): RepoDecision => ({
  id: 'DEC-001',
  run_id: 'run_0',
  turn_id: 'turn_0',
  role: 'qa',
  phase: 'qa',
  category: 'quality',
  statement: 'Two writers',
  rationale: 'Speed',
  durability: 'repo',
  overrides: null,
  status: 'active',
  overridden_by: null,
  created_at: '2026-03-01T09:00:00.000Z',
  ...changes,
});

/** With these authorities of dev and qa. */
const configOf = (dev?: number, qa?: number) => {
  const roles = asRecord(SMALL_CONFIG.roles);
  return readConfig({
    ...SMALL_CONFIG,
    roles: {
      dev: { ...asRecord(roles.dev), decision_authority: dev },
      qa: { ...asRecord(roles.qa), decision_authority: qa },
    },
  });
};

describe('a decision', () => {
  it('joins the ledger once per run', () => {
    const ledger = [{ ...made, run_id: 'run_1' }];
    expect(appendDecision(ledger, made, 'run_1')).toMatchObject({
      ok: false,
      refusal: { type: 'duplicate_decision_id' },
    });
    expect(appendDecision(ledger, made, 'run_2').ok).toBe(true);
    expect(appendDecision([made], made, 'run_2').ok).toBe(false);
  });

  it.each([
    [{ id: 'D-1' }, 'invalid_decision_id_format'],
    [{ id: undefined }, 'invalid_decision_id_format'],
    [{ statement: ' ' }, 'empty_required_field'],
    [{ category: 'mood' }, 'invalid_enum_value'],
  ])('is refused with %j', (changes, type) => {
    expect(appendDecision([], { ...made, ...changes }, null)).toMatchObject({ refusal: { type } });
  });

  it('is recorded with the objections against it, and no others', () => {
    const objections = [
      { id: 'OBJ-001', severity: 'low', statement: 'a', against_decision_id: 'DEC-002' },
      { id: 'OBJ-002', severity: 'low', statement: 'b', against_decision_id: 'DEC-009' },
    ];
    const [row] = decisionRows(resultOf({}, { objections }), 'qa', now);
    expect(row).toMatchObject({ objections_against: ['OBJ-001'], durability: 'run', status: 'accepted' });
  });
});

describe('overriding a decision of the repository', () => {
  const fault = (
    config = configOf(),
    rows: readonly RepoDecision[] = [stored()],
    decision: LooseRecord = {},
  ) => {
    const outcome = checkOverrides(resultOf({ overrides: 'DEC-001', ...decision }), config, rows);
    return outcome.ok ? undefined : outcome.refusal;
  };

  it('needs one that exists and is active', () => {
    expect(fault()).toBeUndefined();
    expect(fault(configOf(), [stored()], { overrides: null })).toBeUndefined();
    expect(fault(configOf(), [])?.next).toContain('there is none');
    const overridden = stored({ status: 'overridden', overridden_by: 'DEC-005' });
    const other = stored({ id: 'DEC-007' });
    expect(fault(configOf(), [stored(), overridden, other])).toMatchObject({
      message: 'DEC-001 has already been overridden by DEC-005.',
      next: 'Name an active repository decision: DEC-007.',
    });
    expect(activeRepoDecisions([stored(), overridden, other])).toEqual([other]);
  });

  it.each([
    [50, 50, true],
    [50, 51, false],
    [undefined, 51, true],
    [50, undefined, true],
  ])('of authority %s over %s: %s', (dev, qa, allowed) => {
    expect(fault(configOf(dev, qa)) === undefined).toBe(allowed);
  });

  it('is always allowed to who made it, and never against a person by less', () => {
    expect(fault(configOf(1, 90), [stored({ role: 'dev' })])).toBeUndefined();
    expect(fault(configOf(99), [stored({ role: 'human' })])).toBeDefined();
  });

  it('closes it, and opens the new one if that is to last', () => {
    const rows = [stored()];
    const run = promote(resultOf({ overrides: 'DEC-001' }), 'qa', rows, now);
    expect(run).toEqual([{ ...stored(), status: 'overridden', overridden_by: 'DEC-002' }]);
    const lasting = promote(resultOf({ overrides: 'DEC-001', durability: 'repo' }), 'qa', rows, now);
    expect(lasting.map(({ id, status }) => [id, status])).toEqual([
      ['DEC-001', 'overridden'],
      ['DEC-002', 'active'],
    ]);
    expect(promote(resultOf({}), 'qa', rows, now)).toEqual([]);
  });
});
