import { describe, expect, it } from 'vitest';
import { CHOICES, choiceOf, KINDS, OTHER, withChoice } from '../../web/src/notifications/rule-choices.ts';

describe('the choices of a notification rule', () => {
  it('are each read back from the rules that they make, and change no other kind or project', () => {
    for (const kind of KINDS) {
      for (const [choice] of CHOICES[kind]) {
        const before = withChoice(withChoice([], 'docs', kind, 'never'), '*', 'budget', 'hourly');
        const rules = withChoice(before, 'shop', kind, choice);
        expect([kind, choiceOf(rules, 'shop', kind)]).toEqual([kind, choice]);
        expect(choiceOf(rules, 'docs', kind)).toBe('never');
        expect(choiceOf(rules, '*', 'budget')).toBe('hourly');
        expect(withChoice(rules, 'shop', kind, '')).toEqual(before);
      }
    }
  });

  it('leave alone what they have no words for', () => {
    const rules = [
      { project: '*', kind: 'inbox' as const, when: 'daily' as const, least_risk: 'critical' as const },
    ];
    expect(choiceOf(rules, '*', 'inbox')).toBe(OTHER);
    expect(withChoice(rules, '*', 'inbox', OTHER)).toEqual(rules);
    expect([choiceOf(rules, '*', 'denied'), choiceOf(rules, 'shop', 'denied')]).toEqual(['never', '']);
  });
});
