/** What a browser's address bar shows for this server: scheme, host name and port. A passkey is bound to the host name. */
export interface RelyingParty {
  readonly origin: string;
  readonly rpId: string;
}

/**
 * The party that a page belongs to: one of the addresses that the server knows to be its own. What a request says of
 * itself is not enough. A passkey for `localhost` works on every port, so that a page of another program on this machine
 * could ask for it; that its address is not ours is all that gives it away.
 */
export function relyingPartyOf(
  origins: readonly string[],
  claimed: string | undefined,
): RelyingParty | undefined {
  const origin = origins.find((own) => own === claimed);
  return origin === undefined ? undefined : { origin, rpId: rpIdOf(origin) };
}

export function rpIdOf(origin: string): string {
  return new URL(origin).hostname;
}
