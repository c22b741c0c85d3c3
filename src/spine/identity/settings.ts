import type { Actor } from './principal.ts';

export interface JwtIssuerSettings {
  readonly issuer: string;
  readonly audience: string | readonly string[];
  /** Where the keys are fetched and refreshed from; or the keys themselves. */
  readonly jwks: { readonly url: string } | { readonly keys: readonly Readonly<Record<string, unknown>>[] };
  /** Allowed difference of the clocks; 30 seconds unless said otherwise. */
  readonly clockToleranceSeconds?: number;
  readonly claims?: JwtClaimNames;
  /** What an issuer's own scope or role names stand for here; names that are neither mapped nor ours grant nothing. */
  readonly scopeMap?: Readonly<Record<string, readonly string[]>>;
  /** For tokens without a scope claim; nothing unless said otherwise. */
  readonly defaultScopes?: readonly string[];
  /** For tokens without a type claim; `agent` unless said otherwise. */
  readonly defaultActorType?: Actor['type'];
  /** For tokens without a projects claim; nothing unless said otherwise. */
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
}

/** What a certificate that the server's CA has issued stands for. Globs are matched against the whole name. */
export interface CertificateRule {
  readonly commonName?: string;
  readonly uri?: string;
  readonly dnsName?: string;
  /** The matched name itself unless given. */
  readonly actorId?: string;
  readonly actorType: Actor['type'];
  readonly scopes: readonly string[];
  readonly projects: 'all' | readonly string[];
  readonly defaultProject?: string;
}

export interface IdentitySettings {
  readonly ownerActor?: Actor;
  readonly jwt?: readonly JwtIssuerSettings[];
  readonly certificates?: readonly CertificateRule[];
  readonly cookieName?: string;
  /** Set where the dashboard is served over TLS. */
  readonly secureCookies?: boolean;
  /** scrypt's N for new passphrases; only tests take less than the default. */
  readonly passphraseCost?: number;
  /** Takes secrets out of texts that the protocols make part of hashed events. */
  readonly redact?: (text: string) => string;
}

export const DEFAULT_PROJECT = 'default';

/** The server itself: what it does without being asked stands in the journal under this name. */
export const SYSTEM_ACTOR: Actor = { id: 'baton', type: 'script' };
