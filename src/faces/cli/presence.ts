import { cliErrors } from './errors.ts';

/** Whether the passphrase will have to be typed for a decision; refuses where it would have to be and none is set. */
export function asksPassphrase(
  item: { readonly needs_presence: boolean },
  me: { readonly present: boolean; readonly passphrase_set: boolean },
): boolean {
  if (!item.needs_presence || me.present) return false;
  if (me.passphrase_set) return true;
  throw cliErrors.bad_arguments({
    message:
      'A decision of this risk level needs proof that a person is present, and you have not set a passphrase.',
    next: 'Set one with `baton passphrase`, or decide in the dashboard (`baton open`).',
  });
}

/** Typed at a terminal and shown nowhere. */
export async function askSecret(message: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw cliErrors.bad_arguments({
      message: 'The passphrase must be typed at a terminal.',
      next: 'Run this in your own terminal, or use the dashboard.',
    });
  }
  const { isCancel, password } = await import('@clack/prompts');
  const given = await password({ message });
  if (isCancel(given))
    throw cliErrors.bad_arguments({ message: 'Cancelled; nothing was changed.', next: 'Try again.' });
  return given;
}
