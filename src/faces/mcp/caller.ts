import type { Principal } from '../../spine/identity/principal.ts';

/** Who speaks on a connection. */
export interface Caller {
  readonly principal: Principal;
  /** The same asked anew: throws once the credential was revoked or has expired. For what outlives a request. */
  readonly now: () => Promise<Principal>;
}
