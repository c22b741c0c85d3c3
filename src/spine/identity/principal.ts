export type ActorType = 'human' | 'agent' | 'script';

export interface Actor {
  readonly id: string;
  readonly type: ActorType;
}

/** `signature`: a request signed by the key of a DID (a2p). */
export type CredentialKind = 'owner' | 'key' | 'jwt' | 'mtls' | 'dashboard' | 'login' | 'signature' | 'oauth';

export interface CredentialRef {
  readonly kind: CredentialKind;
  readonly id: string;
}

/** Who a request comes from and what it may do: the only thing authorization looks at. */
export interface Principal {
  readonly actor: Actor;
  /** Scope patterns as granted; `*` grants all, `x:*` grants every scope of family `x`. */
  readonly scopes: ReadonlySet<string>;
  readonly projects: 'all' | readonly string[];
  readonly defaultProject: string;
  readonly credential: CredentialRef;
  /** The operator's own credential: the owner key, or a login made from it. A kind of credential, never a scope. */
  readonly owner: boolean;
  /** Glob patterns of the actor ids that it may name instead of its own; see `mayActAs`. */
  readonly speaksFor: readonly string[];
  /** True while a person has proved within the last minutes to be at the keyboard. */
  readonly present: boolean;
}
