import type { ClaimKind, Form } from './form.ts';
import { HABITS } from './forms-of-habit.ts';
import { PREFERENCES } from './forms-of-preference.ts';
import { RULES } from './forms-of-rules.ts';
import { ABOUT_PERSON } from './forms-of-self.ts';
import { STANDING } from './forms-of-standing.ts';
import { ABOUT_WORK } from './forms-of-work.ts';
import { signsIn } from './signs.ts';

const FORMS: readonly Form[] = [
  ...PREFERENCES,
  ...RULES,
  ...ABOUT_PERSON,
  ...ABOUT_WORK,
  ...STANDING,
  ...HABITS,
];

export interface Claim {
  readonly kind: ClaimKind;
  /** By its form, and not by signs alone. */
  readonly sure: boolean;
}

/** `sentence` in its plain form and as it was `spelled`. Undefined if it says nothing lasting. */
export function claimIn(sentence: string, spelled: string): Claim | undefined {
  const form = FORMS.find(({ says, unless }) => says.test(sentence) && !unless?.test(sentence));
  if (form) return { kind: form.kind, sure: true };
  const kind = signsIn(sentence, spelled);
  return kind && { kind, sure: false };
}
