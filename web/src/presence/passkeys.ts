import type { Operations, Result } from '@baton-ledger/client';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';

/** WebAuthn's side is fetched when it is first used. */
const browser = () => import('@simplewebauthn/browser');

export type Passkey = Result<Operations['passkeys.list']>['passkeys'][number];

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => client.call('passkeys.list', {}, { signal }),
});

export async function addPasskey(label: string): Promise<void> {
  const { startRegistration } = await browser();
  const options = await client.call('passkeys.start_registration', {});
  const answer = await startRegistration({ optionsJSON: options as never });
  await client.call('passkeys.register', {
    answer: { ...answer, clientExtensionResults: { ...answer.clientExtensionResults } },
    ...(label && { label }),
  });
}

/** Makes this session present for 15 minutes. */
export async function proveByPasskey(): Promise<void> {
  const { startAuthentication } = await browser();
  const options = await client.call('passkeys.start_proof', {});
  const answer = await startAuthentication({ optionsJSON: options as never });
  await client.call('passkeys.prove', {
    answer: { ...answer, clientExtensionResults: { ...answer.clientExtensionResults } },
  });
}
