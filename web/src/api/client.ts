import { createClient } from '@baton-ledger/client';

/** Read anew for every request, so that what is learnt at sign-in counts from then on. */
const headers: Record<string, string> = {};

/** With this token the server knows a write of its own page from one of another site. */
export function rememberCsrfToken(token: string | undefined): void {
  if (token) headers['x-csrf-token'] = token;
  else delete headers['x-csrf-token'];
}

export const client = createClient({ headers });
