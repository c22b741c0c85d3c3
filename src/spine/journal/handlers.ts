import { formatProofBundle } from '../../kernel/proof-bundle.ts';
import type { Principal } from '../identity/principal.ts';
import { type Handlers, JsonText, type StreamItem } from '../operations/handler.ts';
import type { Database } from '../storage/database.ts';
import { journalErrors } from './errors.ts';
import { selectProjectOf } from './events/event-store.ts';
import type { JournalEvent } from './events/stored-event.ts';
import { type BackPage, type Feed, type FeedFilter, type FeedPage, longPoll } from './feed/feed.ts';
import type { journalOperations } from './operations.ts';
import { parseTrustedKeys, parseWitnessKeys } from './tree/signing-key.ts';
import type { Tree } from './tree/tree.ts';
import type { KeptQuestion } from './verify/kept-check.ts';
import type { Fault, JournalReport } from './verify/report.ts';
import { type Cosigning, withCosignatures } from './witness/cosigning.ts';

export interface VerifyQuestion {
  readonly eventsOnly: boolean;
  readonly withoutDerived: boolean;
  readonly kept: KeptQuestion | undefined;
}

export interface JournalHandlerDeps {
  readonly db: Database;
  readonly feed: Feed;
  readonly tree: Tree;
  readonly cosigning: Cosigning;
  readonly verify: (asked: VerifyQuestion, signal: AbortSignal) => Promise<JournalReport>;
  /** Throws if the credential cannot see the project. */
  readonly requireProject: (principal: Principal, projectId: string) => void;
}

export function createJournalHandlers(deps: JournalHandlerDeps): Handlers<typeof journalOperations> {
  const { db, feed, tree, requireProject } = deps;

  function filterFor(
    principal: Principal,
    query: { project?: string | undefined; types?: string[] | undefined },
  ) {
    if (query.project !== undefined) requireProject(principal, query.project);
    const filter: FeedFilter = {
      ...(query.project !== undefined && { projectId: query.project }),
      ...(query.project === undefined && principal.projects !== 'all' && { projectIds: principal.projects }),
      ...(query.types && { types: query.types }),
    };
    return filter;
  }

  return {
    'journal.follow': async ({ input, principal, signal }) => {
      const after = input.headers['last-event-id'] ?? input.query.after;
      const filter = filterFor(principal, input.query);
      const query = { ...filter, ...(after !== undefined && { after }) };
      // An expired cursor is refused before the stream begins, while a status can still be sent.
      await feed.page({ ...query, limit: 1 });
      return streamed(feed.follow({ ...query, signal }), filter);
    },

    'journal.changes': async ({ input, principal, signal }) => {
      const { after, before, limit, wait = 0, newest = false } = input.query;
      if (after !== undefined && before !== undefined) {
        throw journalErrors.cursors_conflict({ pointer: '/before' });
      }
      const filter = { ...filterFor(principal, input.query), ...(limit !== undefined && { limit }) };
      const back = newest || before !== undefined;
      const page = back
        ? await feed.newest({ ...filter, ...(before !== undefined && { before }) })
        : await longPoll(feed, {
            ...filter,
            ...(after !== undefined && { after }),
            waitSeconds: wait,
            signal,
          });
      return { body: new JsonText(pageText(page)) };
    },

    'journal.verify': async ({ input, signal }) => {
      const { events = false, derived = true, checkpoints } = input.body ?? {};
      const { keys = [], witness_keys: witnessKeys = [] } = input.body ?? {};
      // Before any work: a key that cannot be read is the caller's mistake, not a fault of the store.
      parseTrustedKeys(keys);
      parseWitnessKeys(witnessKeys);
      const asksKept = checkpoints !== undefined || witnessKeys.length > 0;
      const kept = asksKept ? { notes: checkpoints ?? [], keys, witnessKeys } : undefined;
      const report = await deps.verify({ eventsOnly: events, withoutDerived: !derived, kept }, signal);
      const witnesses = report.kept?.witnesses.map((witness) => ({ ...witness })) ?? [];
      return {
        body: {
          ...report,
          kept: report.kept && { ...report.kept, witnesses },
          faults: report.faults.map(faultOnWire),
        },
      };
    },

    'journal.checkpoint': async () => {
      const made = await tree.checkpoint();
      if (!made) throw journalErrors.event_not_found({ message: 'The journal is empty.' });
      const { size, root, note, createdAt } = await db.read((reader) => withCosignatures(reader, made));
      const witnesses = await db.read((reader) => deps.cosigning.status(reader));
      return {
        body: {
          size,
          root,
          note,
          verifier_key: tree.signer.verifierKey,
          at: createdAt,
          witnesses: witnesses.map((witness) => ({ ...witness })),
        },
      };
    },

    'journal.consistency': async ({ input }) => {
      const { first, second, path } = await tree.consistency(input.query.first, input.query.second);
      return { body: { first, second, path: [...path] } };
    },

    'journal.prove': async ({ input, principal }) => {
      const { event_id } = input.path;
      const projectId = await db.read((reader) => selectProjectOf(reader, event_id));
      if (projectId === undefined) throw journalErrors.event_not_found({ details: { event_id } });
      requireProject(principal, projectId);
      return { body: new JsonText(formatProofBundle(await tree.prove(event_id))) };
    },
  };
}

function faultOnWire({ eventId, ...fault }: Fault) {
  return { ...fault, ...(eventId !== undefined && { event_id: eventId }) };
}

async function* streamed(
  events: AsyncIterable<JournalEvent>,
  filter: FeedFilter,
): AsyncGenerator<StreamItem<never>> {
  for await (const event of events) {
    const id = filter.projectId === undefined ? event.leaf : event.projectSeq;
    yield { id: String(id), event: event.event.event_type, data: new JsonText(entryText(event)) };
  }
}

function pageText(page: FeedPage | BackPage): string {
  const previous = 'previous' in page ? `,"previous":${page.previous}` : '';
  return `{"events":[${page.events.map(entryText).join(',')}],"next":${page.next}${previous}}`;
}

/** The event is included exactly as hashed, so that a reader can check it. */
function entryText({ leaf, projectSeq, projectId, sessionId, kind, line }: JournalEvent): string {
  const place = JSON.stringify({
    leaf,
    project_seq: projectSeq,
    project_id: projectId,
    session_id: sessionId,
    chain: kind,
  });
  return `${place.slice(0, -1)},"event":${line}}`;
}
