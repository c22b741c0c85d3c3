import type { ClaimKind, Form } from './form.ts';
import { HABITS } from './forms-of-habit.ts';
import { PREFERENCES } from './forms-of-preference.ts';
import { RULES } from './forms-of-rules.ts';
import { ABOUT_PERSON } from './forms-of-self.ts';
import { ABOUT_WORK } from './forms-of-work.ts';

const FORMS: readonly Form[] = [...PREFERENCES, ...RULES, ...ABOUT_PERSON, ...ABOUT_WORK, ...HABITS];

/** Undefined for a sentence that says nothing lasting. */
export function claimIn(sentence: string): ClaimKind | undefined {
  return FORMS.find(({ says, unless }) => says.test(sentence) && !unless?.test(sentence))?.kind;
}
