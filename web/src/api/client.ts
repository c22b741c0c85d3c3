import { createClient } from '@baton-ledger/client';

/** Read anew for every request, so that what is learnt at sign-in counts from then on. */
const headers: Record<string, string> = {};

/**
 * With this token the server knows a write of its own page from one of another. The cookie goes to every port of its
 * host; what is kept here only this page can read, so that a program on another port gets no further than to look.
 */
const KEPT = 'baton-csrf';

export function rememberCsrfToken(token: string | undefined): void {
  if (token) localStorage.setItem(KEPT, token);
  else localStorage.removeItem(KEPT);
  applyKeptToken();
}

/** Signed in or out in another tab. */
window.addEventListener('storage', ({ key }) => {
  if (key === KEPT || key === null) applyKeptToken();
});

function applyKeptToken(): void {
  const token = localStorage.getItem(KEPT);
  if (token) headers['x-csrf-token'] = token;
  else delete headers['x-csrf-token'];
}

applyKeptToken();

export const client = createClient({ headers });
