import type { Json } from '../../kernel/json/value.ts';
import { grantsScope } from '../../spine/identity/scopes.ts';
import {
  by,
  type HeldRow,
  listOf,
  type Provenance,
  type RowsAsked,
  type Source,
  source,
  thing,
} from '../../spine/journal/provenance.ts';
import type { Reader } from '../../spine/storage/database.ts';
import { selectReferring, selectRefs } from './packages/link-store.ts';
import { selectIdsOfSessions } from './packages/list-store.ts';
import { isVisibleTo, selectPackage } from './packages/store.ts';

/** From one bundle; the event itself has all of them. */
const KNOWN_SHOWN = 50;
const REFS_SHOWN = 20;

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
      case 'package.quarantined':
        return {
          words: 'put into quarantine',
          about: thing('package', payload.package_id),
          from: [],
          ...author,
        };
      case 'package.released':
        return {
          words: 'taken out of quarantine',
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

  rows: rowsOf,

  async effects(reader, projectId, things, limit) {
    const of = (wanted: string) => things.filter(({ kind }) => kind === wanted).map(({ id }) => id);
    const [packages, sessions] = [of('package'), of('session')];
    const referring = packages.length === 0 ? [] : await selectReferring(reader, projectId, packages, limit);
    const made = sessions.length === 0 ? [] : await selectIdsOfSessions(reader, projectId, sessions, limit);
    return [
      ...referring.map(({ package_id, rel, target_id }) => ({
        of: { kind: 'package', id: target_id },
        to: { kind: 'package', id: package_id },
        as: rel,
      })),
      ...made.map(({ package_id, session_id }) => ({
        of: { kind: 'session', id: session_id },
        to: { kind: 'package', id: package_id },
        as: 'session',
      })),
    ];
  },
};

async function rowsOf(
  reader: Reader,
  { principal, projectId, thing: { kind, id } }: RowsAsked,
): Promise<HeldRow[]> {
  const may = (scope: string) => grantsScope(principal.scopes, scope);
  if (kind === 'fact') return [{ table: 'facts', key: [projectId, id], shown: may('facts:read') }];
  if (kind !== 'package') return [];
  const stored = await selectPackage(reader, projectId, id);
  const shown = may('packages:read') && stored !== undefined && isVisibleTo(stored, principal.actor);
  return [{ table: 'packages', key: [projectId, id], shown }];
}

function bundle(type: string, packages: readonly Json[], facts: readonly Json[], author: { by?: string }) {
  const name = type === 'orient.delivered' ? 'an orient bundle' : 'a digest';
  return {
    words: `was handed ${name} of ${packages.length} packages and ${facts.length} facts`,
    about: [],
    from: [
      // Each is a package's id and the hash of what was read.
      ...packages.slice(0, KNOWN_SHOWN).flatMap((read) => source('knew', 'package', listOf(read)[0])),
      ...facts.slice(0, KNOWN_SHOWN).flatMap((id) => source('knew', 'fact', id)),
    ],
    reading: true,
    ...author,
  };
}

/** What a package names: packages in `x-refs`, the turn it reports on, and every id in its text. */
async function sourcesOfPackage(reader: Reader, projectId: string, packageId: string): Promise<Source[]> {
  const stored = await selectPackage(reader, projectId, packageId);
  // A draft belongs to its author alone until it is completed.
  const shown = stored?.status === 'draft' ? undefined : stored;
  const refs = await selectRefs(reader, { projectId, packageId });
  const text = shown?.original ?? '';
  return [
    ...refs
      .filter(({ targetProject }) => targetProject === projectId)
      .slice(0, REFS_SHOWN)
      .flatMap(({ rel, targetId }) => source(rel, 'package', targetId)),
    ...source('turn', 'turn', /"turn_id"\s*:\s*"([^"\\]+)"/.exec(text)?.[1]),
    ...citedIds(text)
      .filter((id) => id !== packageId && id !== shown?.sessionId)
      .flatMap((id) => source('cites', 'any', id)),
    ...source('session', 'session', shown?.sessionId ?? undefined),
  ];
}

/** UUIDs, and ids with a prefix: `pkg_…`, `fact_…`, `inb_…`, `mem_…`. */
const ID =
  /\b(?:[a-z]{2,10}_)?(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<=_)[0-9a-f]{32})\b/g;
const MOST_CITED = 40;

/** The ids that a document mentions, in order: executions, decisions, facts, memories. */
export function citedIds(text: string): string[] {
  return [...new Set([...text.matchAll(ID)].map(([id]) => id))].slice(0, MOST_CITED);
}
