import { cliErrors } from './errors.ts';
import { askSecret } from './presence.ts';

/** Typed twice, so that a slip does not lock its owner out. */
export async function askNewPassphrase(): Promise<string> {
  const passphrase = await askSecret('New passphrase');
  if (passphrase === (await askSecret('Once more'))) return passphrase;
  throw cliErrors.bad_arguments({
    message: 'The passphrases differ; nothing was changed.',
    next: 'Try again.',
  });
}
