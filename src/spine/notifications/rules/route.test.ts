import { describe, expect, it } from 'vitest';
import type { Risk } from '../../inbox/item.ts';
import { DEFAULT_RULES, type NoticeKind, type Rule } from '../kinds.ts';
import { ruleFor } from './route.ts';

const notice = (kind: NoticeKind, risk: Risk | null = null, projectId = 'shop') => ({
  key: 'x',
  kind,
  projectId,
  risk,
  itemId: null,
});
const when = (rules: readonly Rule[], ...about: Parameters<typeof notice>) =>
  ruleFor(rules, notice(...about))?.when;

describe('the rule for a notice', () => {
  it('is the project’s own where it has one, and that of all projects elsewhere', () => {
    const rules: Rule[] = [
      { project: '*', kind: 'denied', when: 'daily' },
      { project: 'shop', kind: 'denied', when: 'now' },
      { project: 'quiet', kind: 'denied', when: 'never' },
    ];
    expect(when(rules, 'denied')).toBe('now');
    expect(when(rules, 'denied', null, 'docs')).toBe('daily');
    expect(when(rules, 'denied', null, 'quiet')).toBeUndefined();
    expect(when(rules, 'budget')).toBeUndefined();
  });

  it('is that for the highest risk which fits', () => {
    const rules: Rule[] = [
      { project: '*', kind: 'inbox', when: 'daily' },
      { project: '*', kind: 'inbox', when: 'now', leastRisk: 'high' },
      { project: '*', kind: 'inbox', when: 'never', leastRisk: 'critical' },
    ];
    const byRisk = (['low', 'medium', 'high', 'critical'] as const).map((risk) => when(rules, 'inbox', risk));
    expect(byRisk).toEqual(['daily', 'daily', 'now', undefined]);
  });

  it('says nothing of low risks, denials and finished runs unless asked', () => {
    expect(when(DEFAULT_RULES, 'inbox', 'low')).toBeUndefined();
    expect(when(DEFAULT_RULES, 'inbox', 'medium')).toBe('now');
    expect(when(DEFAULT_RULES, 'expiring', 'low')).toBe('now');
    expect([when(DEFAULT_RULES, 'denied'), when(DEFAULT_RULES, 'run_finished')]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
