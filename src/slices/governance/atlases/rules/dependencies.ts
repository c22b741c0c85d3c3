import { maxSatisfying, satisfies, validRange } from 'semver';
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

/**
 * Chooses the highest version of every Atlas that all who want it accept, dependencies first. One version per id:
 * two Atlases of one id would define the same actions twice.
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
