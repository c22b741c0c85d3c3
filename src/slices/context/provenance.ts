import type { Json } from '../../kernel/json/value.ts';
import { by, listOf, type Provenance, type Source, source, thing } from '../../spine/journal/provenance.ts';
import type { Reader } from '../../spine/storage/database.ts';
import { citedIds } from './cited-ids.ts';

/** Of one bundle; the event itself has all. */
const KNOWN_SHOWN = 50;

export const contextProvenance: Provenance = {
  account({ event_type, payload }) {
    const author = by(payload.author_id ?? payload.actor_id);
    switch (event_type) {
      case 'package.deposited':
        return {
          words: `deposited as ${payload.status}`,
          about: thing('package', payload.package_id),
          from: listOf(payload.parents).flatMap((id) => source('parent', 'package', id)),
          ...author,
        };
      case 'package.transitioned':
        return {
          words: `moved from ${payload.from} to ${payload.to}`,
          about: thing('package', payload.package_id),
          from: [],
          ...author,
        };
      case 'package.redacted':
        return { words: 'redacted', about: thing('package', payload.package_id), from: [], ...author };
      case 'fact.asserted':
        return {
          words: 'asserted',
          about: thing('fact', payload.fact_id),
          from: [
            ...source('source', 'package', payload.source_package_id),
            ...source('supersedes', 'fact', payload.supersedes),
          ],
          ...author,
        };
      case 'fact.invalidated':
        return { words: 'invalidated', about: thing('fact', payload.fact_id), from: [], ...author };
      case 'orient.delivered':
      case 'digest.delivered':
        return bundle(event_type, listOf(payload.packages), listOf(payload.facts), author);
      default:
        return undefined;
    }
  },

  async sources(reader, projectId, { kind, id }) {
    return kind === 'package' ? sourcesOfPackage(reader, projectId, id) : [];
  },
};

function bundle(type: string, packages: readonly Json[], facts: readonly Json[], author: { by?: string }) {
  const name = type === 'orient.delivered' ? 'an orient bundle' : 'a digest';
  return {
    words: `was handed ${name} of ${packages.length} packages and ${facts.length} facts`,
    about: [],
    from: [
      // Each is the package's id and the hash of what was read.
      ...packages.slice(0, KNOWN_SHOWN).flatMap((read) => source('knew', 'package', listOf(read)[0])),
      ...facts.slice(0, KNOWN_SHOWN).flatMap((id) => source('knew', 'fact', id)),
    ],
    reading: true,
    ...author,
  };
}

/** What a package itself names: other packages by `x-refs`, the turn it is of, and every id that stands in its text. */
async function sourcesOfPackage(reader: Reader, projectId: string, packageId: string): Promise<Source[]> {
  const row = await reader.get<{ original: string | null; session_id: string | null }>(
    // A draft is its author's alone until it is completed.
    "select original, session_id from packages where project_id = ? and package_id = ? and status <> 'draft'",
    [projectId, packageId],
  );
  const refs = await reader.all<{ rel: string; target_id: string }>(
    `select rel, target_id from package_refs where project_id = ? and package_id = ? and target_project = ?
     order by position limit 20`,
    [projectId, packageId, projectId],
  );
  const text = row?.original ?? '';
  return [
    ...refs.flatMap(({ rel, target_id }) => source(rel, 'package', target_id)),
    ...source('turn', 'turn', /"turn_id"\s*:\s*"([^"\\]+)"/.exec(text)?.[1]),
    ...citedIds(text)
      .filter((id) => id !== packageId && id !== row?.session_id)
      .flatMap((id) => source('cites', 'any', id)),
    ...source('session', 'session', row?.session_id ?? undefined),
  ];
}
