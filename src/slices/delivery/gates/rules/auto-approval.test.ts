import { describe, expect, it } from 'vitest';
import type { LooseRecord } from '../../../../kernel/json/loose.ts';
import { readConfig } from '../../config/rules/read.ts';
import type { HistoryRow } from '../../records.ts';
import { isAutoApproved } from './auto-approval.ts';
import type { GateDecision } from './evaluate.ts';

const routing = { planning: {}, implementation: {}, qa: {} };
const decision = (from: string, to: string | null, more: Partial<GateDecision> = {}): GateDecision => ({
  action: 'awaiting_human_approval',
  gate: 'g',
  from,
  to,
  reason: null,
  reasons: [],
  files: [],
  credentialed: false,
  ...more,
});
const row = (phase: string, role: string) => ({ phase, role }) as HistoryRow;
const approves = (policy: LooseRecord, asked: GateDecision, history: readonly HistoryRow[] = []) =>
  isAutoApproved(readConfig({ routing, approval_policy: policy }), asked, history);

const AUTO = { action: 'auto_approve' };

describe('an approval policy', () => {
  it('asks a person unless it says otherwise', () => {
    expect(approves({}, decision('planning', 'implementation'))).toBe(false);
    expect(approves({}, decision('qa', null))).toBe(false);
    expect(approves({ phase_transitions: { default: 'auto_approve' } }, decision('planning', 'qa'))).toBe(
      true,
    );
    expect(approves({ phase_transitions: { default: 'auto_approve' } }, decision('qa', null))).toBe(false);
    expect(approves({ run_completion: AUTO }, decision('qa', null))).toBe(true);
    expect(approves({ run_completion: AUTO }, decision('planning', 'qa'))).toBe(false);
  });

  it('decides by the first rule that names the transition', () => {
    const policy = {
      phase_transitions: {
        default: 'auto_approve',
        rules: [
          { from_phase: 'planning', action: 'require_human' },
          { from_phase: 'planning', to_phase: 'implementation', ...AUTO },
        ],
      },
    };
    expect(approves(policy, decision('planning', 'implementation'))).toBe(false);
    expect(approves(policy, decision('implementation', 'qa'))).toBe(true);
  });

  it('never opens a credentialed gate, nor one that fails', () => {
    const policy = { phase_transitions: { default: 'auto_approve' }, rules: [AUTO] };
    expect(approves(policy, decision('planning', 'qa', { credentialed: true }))).toBe(false);
    expect(approves(policy, decision('planning', 'qa', { action: 'gate_failed' }))).toBe(false);
  });

  it('holds its conditions, and any that it does not understand does not hold', () => {
    const when = (conditions: LooseRecord) => ({ run_completion: { ...AUTO, when: conditions } });
    const all = [row('planning', 'pm'), row('implementation', 'dev'), row('qa', 'qa')];
    const end = decision('qa', null);
    expect(approves(when({ roles_participated: ['qa'] }), end, all)).toBe(true);
    expect(approves(when({ roles_participated: ['qa', 'dev'] }), end, all)).toBe(false);
    expect(approves(when({ all_phases_visited: true }), end, all)).toBe(true);
    expect(approves(when({ all_phases_visited: true }), end, all.slice(1))).toBe(false);
    expect(approves(when({ weekday: true }), end, all)).toBe(false);
  });

  it('lets a rule for a gate come first', () => {
    const policy = {
      phase_transitions: { default: 'auto_approve' },
      rules: [{ gate: 'g', action: 'require_human' }],
    };
    expect(approves(policy, decision('planning', 'qa'))).toBe(false);
    expect(approves(policy, decision('planning', 'qa', { gate: 'other' }))).toBe(true);
  });
});
