import { requireScope } from '../../../spine/identity/access.ts';
import { identityErrors } from '../../../spine/identity/errors.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { PlainHeaders } from '../../../spine/operations/plain.ts';
import type { Peer } from '../peers/store.ts';
import type { RelayDeps } from '../ports.ts';

/** Who asks the relay, and what they may ask it for without saying so. */
export interface Callers {
  /** Baton's own key: `Authorization` belongs to the peer. Throws where it is bad. */
  identify(headers: PlainHeaders, pathKey?: string): Promise<Principal | undefined>;
  requireAccess(peer: Peer | undefined, principal: Principal | undefined): void;
}

export function createCallers(deps: Pick<RelayDeps, 'loopback' | 'authenticateKey'>): Callers {
  return {
    async identify(headers, pathKey) {
      const key = headers['x-baton-key'] ?? pathKey;
      if (!key) return undefined;
      const principal = await deps.authenticateKey(key);
      requireScope(principal, 'relay:send');
      return principal;
    },
    requireAccess(peer, principal) {
      if (principal || (peer?.access === 'open' && deps.loopback)) return;
      throw identityErrors.unauthorized({ next: 'Send a key with the scope relay:send as X-Baton-Key.' });
    },
  };
}
