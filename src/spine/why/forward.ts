import { giveTurn } from '../../platform/turn.ts';
import type { Principal } from '../identity/principal.ts';
import type { Effect, Provenance, Thing } from '../journal/provenance.ts';
import type { Database, Reader } from '../storage/database.ts';
import { type CausedAccount, selectActs, selectCausedBy, selectReadingsAfter } from './cause-store.ts';
import { findSubject, type Question } from './explain.ts';
import { ACTS } from './look-up.ts';
import { type Reach, reachFrom } from './rules/reach.ts';
import type { ForwardAnswer } from './schema.ts';
import { selectEvent, selectEventsAbout } from './store.ts';

/** More than so many are not followed; the answer says so. */
export const MOST_REACHED = 100_000;
const DEEPEST = 64;
const BATCH = 200;
/** What one hand-over is followed to. */
const ACTS_OF_A_READING = 1_000;
const READINGS_AFTER = 20;
const DEFAULT_LISTED = 200;

export interface ForwardDeps {
  readonly db: Database;
  readonly provenances: readonly Provenance[];
}

export interface Reached extends Reach {
  readonly subject: Thing & { readonly projectId: string };
}

/** Everything that relied on a thing, in short reads, so that a large answer keeps nobody waiting. */
export async function reach(
  { db, provenances }: ForwardDeps,
  principal: Principal,
  question: Question,
): Promise<Reached> {
  const subject = await db.read((reader) => findSubject(reader, provenances, principal, question));
  const { projectId, kind, id } = subject;
  const found = await reachFrom(
    { kind, id },
    async (things) => {
      await giveTurn();
      return db.read((reader) => effectsOf(reader, provenances, projectId, things));
    },
    { depth: question.depth ?? DEEPEST, things: MOST_REACHED, batch: BATCH },
  );
  return { ...found, subject };
}

async function effectsOf(
  reader: Reader,
  provenances: readonly Provenance[],
  projectId: string,
  things: readonly Thing[],
): Promise<Effect[]> {
  const effects: Effect[] = [];
  const kinds = new Map<string, Thing[]>();
  for (const thing of things) kinds.set(thing.id, [...(kinds.get(thing.id) ?? []), thing]);
  for (const caused of await selectCausedBy(reader, projectId, [...kinds.keys()])) {
    for (const of of kinds.get(caused.sourceId) ?? []) {
      if (caused.sourceKind !== 'any' && caused.sourceKind !== of.kind) continue;
      effects.push(...effectsIn(of, caused));
    }
  }
  for (const thing of things) {
    if (thing.kind === 'reading') effects.push(...(await actsAfter(reader, projectId, thing)));
  }
  for (const provenance of provenances) {
    effects.push(...((await provenance.effects?.(reader, projectId, things, MOST_REACHED)) ?? []));
  }
  return effects;
}

/** What was handed to somebody is a step of its own: what they did next relied on it. */
function effectsIn(of: Thing, { account, role, eventId }: CausedAccount): Effect[] {
  if (account.reading) return [{ of, to: { kind: 'reading', id: eventId }, as: role }];
  return account.about.map((to) => ({ of, to, as: role }));
}

/** The counterpart of what an actor knew: from a hand-over until the next of the same kind, whatever they did first. */
async function actsAfter(reader: Reader, projectId: string, of: Thing): Promise<Effect[]> {
  const found = await selectEvent(reader, of.id);
  if (found?.projectId !== projectId) return [];
  const { leaf, actorId, type } = found.event;
  let before = Number.MAX_SAFE_INTEGER;
  for (const next of await selectReadingsAfter(reader, projectId, actorId, leaf, READINGS_AFTER)) {
    const event = await selectEvent(reader, next.event_id);
    if (event?.event.type !== type) continue;
    before = event.event.leaf;
    break;
  }
  const acts = await selectActs(reader, projectId, actorId, { after: leaf, before }, ACTS_OF_A_READING);
  return acts.filter(({ kind }) => ACTS.has(kind)).map((to) => ({ of, to, as: 'knew' }));
}

/** The first of what was reached, with who did it and when; the counts are of all. */
export async function forwardAnswer(
  { db }: ForwardDeps,
  { subject, things, complete }: Reached,
  limit = DEFAULT_LISTED,
): Promise<ForwardAnswer> {
  const byKind: Record<string, number> = {};
  for (const { kind } of things) byKind[kind] = (byKind[kind] ?? 0) + 1;
  const listed: ForwardAnswer['things'] = [];
  for (const { kind, id, distance, from, as } of things.slice(0, limit)) {
    const [step] = await db.read(async (reader) =>
      kind === 'reading'
        ? [(await selectEvent(reader, id))?.event]
        : selectEventsAbout(reader, subject.projectId, { kind, id }, 1),
    );
    listed.push({
      kind,
      id,
      distance,
      from: { kind: from.kind, id: from.id },
      as,
      at: step?.at ?? null,
      by: step?.actorId ?? null,
      words: step?.account.words ?? null,
    });
  }
  return {
    project_id: subject.projectId,
    kind: subject.kind,
    id: subject.id,
    total: things.length,
    complete,
    by_kind: byKind,
    things: listed,
  };
}
