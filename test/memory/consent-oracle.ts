/**
 * The rules of consent, told a second time and otherwise: a memory's place is spelled out as the list of all scopes that
 * reach it, and a policy is asked whether it names one of them. Shares no code with the rules that it checks.
 */
export interface Told {
  readonly id: string;
  readonly type: string;
  readonly content: string;
  readonly category?: string | undefined;
  readonly sensitivity?: string | undefined;
  readonly scope?: readonly string[] | undefined;
  readonly status?: string | undefined;
  readonly consolidatedFrom?: readonly string[] | undefined;
}

export interface ToldPolicy {
  readonly id: string;
  readonly agentPattern: string;
  readonly permissions: readonly string[];
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly priority?: number;
  readonly enabled?: boolean;
  readonly expiry?: string;
  readonly subProfile?: string;
  readonly conditions?: { readonly requireVerifiedOperator?: boolean };
}

const STRICT: Record<string, string> = {
  'a2p:health': 'restricted',
  'a2p:financial': 'restricted',
  'a2p:relationships': 'sensitive',
};

/** `a2p:x.y` → `a2p:x.y`, `a2p:x`; `ext:v:c` → `ext:v:c`, `ext:v`. */
function withAncestors(category: string): string[] {
  const names = [category];
  for (let name = category; /[.:]/.test(name.slice(4)); names.push(name))
    name = name.slice(0, Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')));
  return names;
}

function reach({ type, category }: Told) {
  const wide = ['*', `a2p:${type}`, `a2p:${type}.*`];
  if (category === undefined) return { wide: [...wide, 'a2p:*'], named: [], above: [] };
  const names = withAncestors(category);
  const typed = category.startsWith('a2p:') ? names.map((name) => `a2p:${type}.${name.slice(4)}`) : [];
  const below = (name: string) =>
    name.startsWith('ext:') && name.split(':').length === 2 ? `${name}:*` : `${name}.*`;
  return {
    wide: [...wide, `${category.slice(0, 3)}:*`],
    named: [
      category,
      ...typed.slice(0, 1),
      ...names.map(below),
      ...names.map((name) => `${name}.*`),
      ...typed.map(below),
    ],
    above: [...names, ...typed],
  };
}

const fits = (pattern: string, did: string) =>
  pattern.endsWith('*') ? did.startsWith(pattern.slice(0, -1)) : pattern === did;

function sensitivityOf({ sensitivity, category }: Told): string {
  return sensitivity ?? STRICT[(category ?? '').split('.')[0] ?? ''] ?? 'standard';
}

export interface World {
  readonly memories: readonly Told[];
  readonly policies: readonly ToldPolicy[];
  readonly blocked: ReadonlySet<string>;
  readonly now: string;
}

export function mayHave(world: World, agent: string, memory: Told): boolean {
  if ((memory.status ?? 'approved') !== 'approved' || world.blocked.has(agent)) return false;
  if (!isOpen(world, agent, memory)) return false;
  return sourcesOf(world, memory).every((source) => isOpen(world, agent, source));
}

function sourcesOf(world: World, memory: Told): Told[] {
  const direct = world.memories.filter(({ id }) => memory.consolidatedFrom?.includes(id));
  return direct.flatMap((source) => [source, ...sourcesOf(world, source)]);
}

function isOpen({ policies, now }: World, agent: string, memory: Told): boolean {
  const speaking = policies.filter(
    (policy) =>
      policy.enabled !== false &&
      (policy.expiry === undefined || policy.expiry > now) &&
      fits(policy.agentPattern, agent),
  );
  let granting: ToldPolicy | undefined;
  for (const policy of speaking) {
    if (policy.conditions?.requireVerifiedOperator) continue;
    if (!granting || (policy.priority ?? 100) < (granting.priority ?? 100)) granting = policy;
  }
  if (!granting || granting.permissions.includes('none')) return false;
  const { wide, named, above } = reach(memory);
  const allowed = granting.allow ?? [];
  if (!allowed.some((scope) => wide.includes(scope) || named.includes(scope))) return false;
  const denied = speaking.flatMap((policy) => policy.deny ?? []);
  if (denied.some((scope) => [...wide, ...named, ...above].includes(scope))) return false;
  const may = (permission: string) => granting.permissions.includes(permission);
  const level = sensitivityOf(memory);
  if (level === 'public' && !may('read_public') && !may('read_scoped') && !may('read_full')) return false;
  if (level === 'standard' && !may('read_scoped') && !may('read_full')) return false;
  if (level === 'sensitive' || level === 'restricted') {
    if (!may('read_scoped') || !allowed.some((scope) => named.includes(scope))) return false;
  }
  const shared = memory.scope ?? [];
  if (granting.subProfile === undefined || shared.length === 0 || shared.includes('general')) return true;
  return shared.includes(granting.subProfile);
}
