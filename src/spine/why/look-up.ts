import type { Provenance, Source, Thing } from '../journal/provenance.ts';
import type { Reader } from '../storage/database.ts';
import type { Found } from './rules/walk.ts';
import {
  type AccountedEvent,
  selectCalled,
  selectEvent,
  selectEventsAbout,
  selectReadingsBefore,
} from './store.ts';

/** Of one thing; a package that moved through a hundred reviews shows its first ones. */
const STEPS_SHOWN = 12;
const READINGS_LOOKED_AT = 20;

/** What an actor knew is looked up only for what it did, and only near the question. */
export const ACTS: ReadonlySet<string> = new Set([
  'execution',
  'resolution',
  'package',
  'fact',
  'memory_proposal',
  'turn',
]);
const KNEW_DEPTH = 1;

/** What the index, the journal and the rooms know of one thing. */
export function createLookUp(reader: Reader, provenances: readonly Provenance[], projectId: string) {
  return async (subject: Thing, depth: number): Promise<Found<AccountedEvent>> => {
    if (subject.kind === 'event' || subject.kind === 'reading') return ofEvent(subject);
    const steps = await selectEventsAbout(reader, projectId, subject, STEPS_SHOWN);
    const named: Source[] = [];
    for (const provenance of provenances) {
      named.push(...((await provenance.sources?.(reader, projectId, subject)) ?? []));
    }
    named.push(...steps.flatMap(({ account }) => account.from));
    const knew = ACTS.has(subject.kind) && depth <= KNEW_DEPTH ? await readings(steps[0]) : [];
    return { steps, sources: [...(await resolved(named)), ...knew] };
  };

  async function ofEvent({ kind, id }: Thing): Promise<Found<AccountedEvent>> {
    const found = await selectEvent(reader, id);
    if (!found || found.projectId !== projectId) return { steps: [], sources: [] };
    const { account } = found.event;
    const about = kind === 'reading' ? [] : account.about.map((thing) => ({ ...thing, as: 'about' }));
    return { steps: [found.event], sources: [...about, ...(await resolved(account.from))] };
  }

  async function readings(first: AccountedEvent | undefined): Promise<Source[]> {
    if (!first) return [];
    const { actorId, leaf } = first;
    const before = await selectReadingsBefore(reader, projectId, actorId, leaf, READINGS_LOOKED_AT);
    return before.map(({ eventId }) => ({ kind: 'reading', id: eventId, as: 'knew' }));
  }

  /** An id without a kind is whatever goes by it in this project. */
  async function resolved(sources: readonly Source[]): Promise<Source[]> {
    const found: Source[] = [];
    for (const source of sources) {
      if (source.kind !== 'any') found.push(source);
      else {
        const called = (await selectCalled(reader, source.id)).filter(
          ({ project_id }) => project_id === projectId,
        );
        found.push(...called.map(({ kind }) => ({ ...source, kind })));
        if (called.length === 0) found.push({ ...source, kind: 'event' });
      }
    }
    return found;
  }
}
