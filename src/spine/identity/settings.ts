import type { Actor } from './principal.ts';

export interface JwtIssuerSettings {
  readonly issuer: string;
  readonly audience: string | readonly string[];
  /** Where the keys are fetched and refreshed from; or the keys themselves. */
  readonly jwks: { readonly url: string } | { readonly keys: readonly Readonly<Record<string, unknown>>[] };
  /** Allowed clock skew; 30 seconds by default. */
  readonly clockToleranceSeconds?: number;
  readonly claims?: JwtClaimNames;
  /** Maps an issuer's own scope or role names to ours; names that are neither mapped nor ours grant nothing. */
  readonly scopeMap?: Readonly<Record<string, readonly string[]>>;
  /** For tokens without a scope claim; none by default. */
  readonly defaultScopes?: readonly string[];
  /** For tokens without a type claim; `agent` by default. */
  readonly defaultActorType?: Actor['type'];
  /** For tokens without a projects claim; none by default. */
  readonly defaultProjects?: 'all' | readonly string[];
  /** Put before the subject, so that an issuer cannot name an actor that it does not own. */
  readonly actorPrefix?: string;
}

export interface JwtClaimNames {
  readonly actorId?: string;
  readonly actorType?: string;
  readonly scopes?: string;
  readonly projects?: string;
  readonly defaultProject?: string;
  /** No default: an issuer that was not asked to must not be able to let its tokens speak for others. */
  readonly speaksFor?: string;
}

/** Maps certificates issued by the server's CA to actors. Globs are matched against the whole name. */
export interface CertificateRule {
  readonly commonName?: string;
  readonly uri?: string;
  readonly dnsName?: string;
  /** Defaults to the matched name. */
  readonly actorId?: string;
  readonly actorType: Actor['type'];
  readonly scopes: readonly string[];
  readonly projects: 'all' | readonly string[];
  readonly defaultProject?: string;
  /** Actor ids that the holder may speak for, as globs; none by default. */
  readonly speaksFor?: readonly string[];
}

export interface IdentitySettings {
  readonly ownerActor?: Actor;
  readonly jwt?: readonly JwtIssuerSettings[];
  readonly certificates?: readonly CertificateRule[];
  readonly cookieName?: string;
  /** Set if the dashboard is served over TLS. */
  readonly secureCookies?: boolean;
  /** scrypt's N for new passphrases; only tests take less than the default. */
  readonly passphraseCost?: number;
  /** Takes secrets out of texts that the protocols make part of hashed events. */
  readonly redact?: (text: string) => string;
}

export const DEFAULT_PROJECT = 'default';

/** The server itself: what it does on its own is recorded in the journal under this name. */
export const SYSTEM_ACTOR: Actor = { id: 'baton', type: 'script' };

/** How much one credential may have stored in a day (UTC); 0 is no limit. */
export interface QuotaSettings {
  readonly writesPerDay: number;
  readonly bytesPerDay: number;
}

export const DEFAULT_QUOTAS: QuotaSettings = { writesPerDay: 1_000_000, bytesPerDay: 10 * 1024 ** 3 };
