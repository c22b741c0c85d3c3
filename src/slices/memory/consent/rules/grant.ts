import type { Micros } from '../../../../kernel/clock.ts';
import type { Sensitivity } from '../../categories.ts';
import type { RateLimit } from '../../rate-limits.ts';
import { covers, denies, names, type Place, parseScope, type ScopePattern } from '../../scope-pattern.ts';
import type { Permission, Policy } from './policy.ts';
import { concerns, mayGrant, type Requester } from './requester.ts';

/** What consent depends on in a memory: two memories that agree in it are visible to the same agents. */
export interface ConsentTraits extends Place {
  readonly sensitivity: Sensitivity;
  /** Sharing contexts such as `work`; empty means any. */
  readonly scope: readonly string[];
  readonly status: string;
}

/** What the policies of a profile grant to one requester at one moment. */
export interface Grant {
  /** The granting policy; undefined where there is none. */
  readonly policyId: string | undefined;
  readonly permissions: ReadonlySet<Permission>;
  readonly allow: readonly ScopePattern[];
  readonly deny: readonly ScopePattern[];
  readonly contexts: readonly string[] | undefined;
  readonly rateLimit?: RateLimit | undefined;
}

export const NO_GRANT: Grant = {
  policyId: undefined,
  permissions: new Set(),
  allow: [],
  deny: [],
  contexts: [],
};

/**
 * The first matching policy grants (lowest priority first, ties in the order given). Denials of every policy that names
 * the agent apply, whether or not its conditions are met. No policy, no access.
 */
export function grantFor(policies: readonly Policy[], requester: Requester, now: Micros): Grant {
  const ordered = [...policies].sort((a, b) => a.priority - b.priority);
  const granting = ordered.find((policy) => mayGrant(policy, requester, now));
  if (!granting || granting.permissions.has('none')) return NO_GRANT;
  return {
    policyId: granting.id,
    permissions: granting.permissions,
    allow: granting.allow,
    deny: policies.filter((policy) => concerns(policy, requester, now)).flatMap(({ deny }) => deny),
    contexts: granting.contexts,
    rateLimit: granting.rateLimit,
  };
}

/** Category, type, scope, sensitivity and status must all allow it. */
export function mayRead(grant: Grant, memory: ConsentTraits): boolean {
  return (
    memory.status === 'approved' &&
    isReachable(grant, memory) &&
    isOpenAt(grant, memory) &&
    isInContext(grant.contexts, memory.scope)
  );
}

export function mayPropose(grant: Grant, place: Place): boolean {
  return grant.permissions.has('propose') && isReachable(grant, place);
}

function isReachable({ allow, deny }: Grant, place: Place): boolean {
  return allow.some((pattern) => covers(pattern, place)) && !deny.some((pattern) => denies(pattern, place));
}

/** Permissions are a set, not a ladder: `propose` reads nothing, `read_full` no sensitive or restricted memories. */
function isOpenAt({ permissions, allow }: Grant, memory: ConsentTraits): boolean {
  const scoped = permissions.has('read_scoped');
  const wide = scoped || permissions.has('read_full');
  switch (memory.sensitivity) {
    case 'public':
      return wide || permissions.has('read_public');
    case 'standard':
      return wide;
    default:
      return scoped && allow.some((pattern) => names(pattern, memory));
  }
}

function isInContext(contexts: readonly string[] | undefined, scope: readonly string[]): boolean {
  if (contexts === undefined || scope.length === 0 || scope.includes('general')) return true;
  return scope.some((context) => contexts.includes(context));
}

export interface ScopeAnswer {
  readonly granted: readonly string[];
  readonly denied: readonly string[];
}

/** Which of the requested scopes overlap with what the grant lets be read, and which do not. To propose takes none. */
export function answerScopes(grant: Grant, asked: readonly string[]): ScopeAnswer {
  const reads = (['read_public', 'read_scoped', 'read_full'] as const).some((each) =>
    grant.permissions.has(each),
  );
  const granted = asked.filter((text) => {
    const pattern = parseScope(text);
    if (!pattern || !reads) return false;
    return (
      grant.allow.some((allow) => meet(allow, pattern)) && !grant.deny.some((deny) => swallows(deny, pattern))
    );
  });
  return { granted, denied: asked.filter((text) => !granted.includes(text)) };
}

function meet(a: ScopePattern, b: ScopePattern): boolean {
  if (a.type !== undefined && b.type !== undefined && a.type !== b.type) return false;
  return contains(a, b) || contains(b, a);
}

function swallows(deny: ScopePattern, asked: ScopePattern): boolean {
  if (deny.type !== undefined && deny.type !== asked.type) return false;
  if (asked.category.kind === 'all') return contains(deny, asked);
  return denies(deny, { type: asked.type ?? deny.type ?? 'episodic', category: asked.category.name });
}

function contains({ category: outer }: ScopePattern, { category: inner }: ScopePattern): boolean {
  if (outer.kind === 'all') {
    if (outer.namespace === undefined) return true;
    return inner.kind === 'all'
      ? inner.namespace === outer.namespace
      : inner.name.startsWith(`${outer.namespace}:`);
  }
  if (inner.kind === 'all') return false;
  if (outer.name === inner.name) return true;
  return (
    outer.kind === 'below' &&
    (inner.name.startsWith(`${outer.name}.`) || inner.name.startsWith(`${outer.name}:`))
  );
}
