import { cliErrors } from './errors.ts';

/** Typed at a terminal and shown nowhere. */
export async function askSecret(message: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw cliErrors.bad_arguments({
      message: 'A passphrase is typed at a terminal.',
      next: 'Run this in a terminal of your own, or use the dashboard.',
    });
  }
  const { isCancel, password } = await import('@clack/prompts');
  const given = await password({ message });
  if (isCancel(given))
    throw cliErrors.bad_arguments({ message: 'Given up; nothing was changed.', next: 'Try again.' });
  return given;
}
