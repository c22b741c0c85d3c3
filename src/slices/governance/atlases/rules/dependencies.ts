import { gt, maxSatisfying, satisfies, validRange } from 'semver';
import { z } from 'zod';
import type { AtlasManifest } from '../schema.ts';

/** One version that could be chosen, and what it depends on in turn. */
export interface Candidate {
  readonly atlasId: string;
  readonly version: string;
  readonly digest: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

export interface DependencyProblem {
  readonly atlasId: string;
  readonly range: string;
  readonly wantedBy: string;
  readonly found: readonly string[];
}

export interface Locked {
  readonly atlasId: string;
  readonly version: string;
  readonly digest: string;
}

export function isRange(range: string): boolean {
  return validRange(range) !== null;
}

export function fits(version: string, range: string): boolean {
  return satisfies(version, range, { includePrerelease: false });
}

export function isNewer(version: string, than: string): boolean {
  return gt(version, than);
}

/**
 * Chooses the highest version of every Atlas that all its dependents accept, dependencies first. One version per id: two
 * Atlases of one id would define the same actions twice.
 */
export function resolveDependencies(
  root: Pick<AtlasManifest, 'atlas_id' | 'dependencies'>,
  available: readonly Candidate[],
): { readonly locked: readonly Locked[]; readonly problems: readonly DependencyProblem[] } {
  const wanted = new Map<string, { range: string; by: string }[]>();
  const chosen = new Map<string, Candidate>();
  const problems: DependencyProblem[] = [];
  const queue: { by: string; dependencies: Readonly<Record<string, string>> }[] = [
    { by: root.atlas_id, dependencies: root.dependencies ?? {} },
  ];
  for (let next = queue.shift(); next; next = queue.shift()) {
    for (const [atlasId, range] of Object.entries(next.dependencies)) {
      const ranges = [...(wanted.get(atlasId) ?? []), { range, by: next.by }];
      wanted.set(atlasId, ranges);
      const before = chosen.get(atlasId);
      if (before && fits(before.version, range)) continue;
      const versions = available.filter((candidate) => candidate.atlasId === atlasId);
      const fitting = versions.filter(({ version }) => ranges.every((each) => fits(version, each.range)));
      const best = maxSatisfying(
        fitting.map(({ version }) => version),
        '*',
        { includePrerelease: true },
      );
      const candidate = fitting.find(({ version }) => version === best);
      if (!candidate) {
        problems.push({ atlasId, range, wantedBy: next.by, found: versions.map(({ version }) => version) });
        continue;
      }
      chosen.set(atlasId, candidate);
      queue.push({ by: atlasId, dependencies: candidate.dependencies });
    }
  }
  return { locked: dependenciesFirst(chosen), problems };
}

function dependenciesFirst(chosen: ReadonlyMap<string, Candidate>): Locked[] {
  const ordered: Locked[] = [];
  const seen = new Set<string>();
  const visit = (atlasId: string) => {
    const candidate = chosen.get(atlasId);
    if (!candidate || seen.has(atlasId)) return;
    seen.add(atlasId);
    for (const dependency of Object.keys(candidate.dependencies).sort()) visit(dependency);
    ordered.push({ atlasId, version: candidate.version, digest: candidate.digest });
  };
  for (const atlasId of [...chosen.keys()].sort()) visit(atlasId);
  return ordered;
}

export const LOCK_FILE = 'cra.atlases.lock';

const lockSchema = z.strictObject({
  lock_version: z.literal('1'),
  atlases: z.record(z.string(), z.strictObject({ version: z.string(), digest: z.string() })),
});

/** Sorted and pretty, so that two locks differ only where a choice differs. */
export function writeLock(locked: readonly Locked[]): string {
  const atlases = Object.fromEntries(
    [...locked]
      .sort((a, b) => (a.atlasId < b.atlasId ? -1 : 1))
      .map(({ atlasId, version, digest }) => [atlasId, { version, digest }]),
  );
  return `${JSON.stringify({ lock_version: '1', atlases }, null, 2)}\n`;
}

/** Undefined for anything but a lock file. */
export function readLock(value: unknown): Locked[] | undefined {
  const parsed = lockSchema.safeParse(value);
  if (!parsed.success) return undefined;
  return Object.entries(parsed.data.atlases).map(([atlasId, entry]) => ({ atlasId, ...entry }));
}

export interface LockDrift {
  readonly atlasId: string;
  readonly locked: string | undefined;
  readonly found: string | undefined;
}

/** What would change if the lock were written again, including versions whose content has changed. */
export function lockDrift(lock: readonly Locked[], found: readonly Locked[]): LockDrift[] {
  const before = new Map(lock.map((entry) => [entry.atlasId, entry]));
  const after = new Map(found.map((entry) => [entry.atlasId, entry]));
  const show = (entry: Locked | undefined) => entry && `${entry.version} ${entry.digest}`;
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .filter((id) => show(before.get(id)) !== show(after.get(id)))
    .map((atlasId) => ({ atlasId, locked: show(before.get(atlasId)), found: show(after.get(atlasId)) }));
}
