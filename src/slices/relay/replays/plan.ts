import type { Hasher } from '../../../kernel/hasher.ts';
import { isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import type { Database } from '../../../spine/storage/database.ts';
import { textOf } from '../a2a/observe.ts';
import { relayErrors } from '../errors.ts';
import { isGoverned } from '../peers/rules.ts';
import { type Peer, selectPeers } from '../peers/store.ts';
import { type StoredSpan, selectSpans } from '../spans/store.ts';
import { type Captured, capturedOf, EXCHANGE_SPAN } from './captured.ts';
import { causedBy } from './caused.ts';
import { openedBy } from './counterparts.ts';
import { mayBeSentAltered, REASONS, type Reason } from './reasons.ts';
import type { PlannedStep, ReplaySource } from './schema.ts';

export interface Planned {
  readonly captured: Captured;
  readonly to: string;
  readonly governed: boolean;
  /** Why it is not sent; undefined where it is. */
  readonly reason: Reason | undefined;
}

export interface Plan {
  readonly source: { readonly kind: 'trace' | 'session'; readonly id: string };
  readonly planned: readonly Planned[];
  /** The tasks that its messages opened. */
  readonly opened: ReadonlySet<string>;
}

export interface PlanDeps {
  readonly db: Database;
  readonly hasher: Hasher;
  /** Of the relay's own spans: nobody else's are sent. */
  readonly originId: string;
}

const MOST_MESSAGES = 1_000;
const MOST_SPANS = 20_000;
const PAGE = 500;

export async function planReplay(deps: PlanDeps, projectId: string, source: ReplaySource): Promise<Plan> {
  const { messages, parents } = await read(deps, projectId, source);
  const chosen =
    source.span_id === undefined ? messages : messages.filter(({ spanId }) => spanId === source.span_id);
  if (chosen.length === 0) throw relayErrors.nothing_to_replay();
  if (chosen.length > MOST_MESSAGES) throw relayErrors.replay_too_long();
  const peers = await deps.db.read((reader) => selectPeers(reader, projectId));
  const byId = new Map(peers.map((peer) => [peer.id, peer]));
  const targets = targetsOf(chosen, source.to);
  const caused = causedBy(chosen, parents);
  const opened = openedBy(chosen);
  return {
    source:
      source.trace_id === undefined
        ? { kind: 'session', id: source.session_id ?? '' }
        : { kind: 'trace', id: source.trace_id },
    opened,
    planned: chosen.map((captured) => {
      const to = targets.get(captured.peerId) ?? captured.peerId;
      const peer = byId.get(to);
      return {
        captured,
        to,
        governed: peer !== undefined && isGoverned(peer),
        reason: caused.has(captured) ? 'caused' : reasonOf(captured, peer, opened, source.altered ?? false),
      };
    }),
  };
}

function reasonOf(
  { fault, message, taskId, namesTask, peerId }: Captured,
  peer: Peer | undefined,
  opened: ReadonlySet<string>,
  altered: boolean,
): Reason | undefined {
  if (fault !== undefined && !(message && altered && mayBeSentAltered(fault))) return fault;
  if (!peer) return 'peer_gone';
  return namesTask === true && !opened.has(`${peerId}\n${taskId}`) ? 'unknown_task' : undefined;
}

/** The messages in the order in which they were sent, and what stands above each span. */
async function read({ db, hasher, originId }: PlanDeps, projectId: string, source: ReplaySource) {
  const filter =
    source.trace_id === undefined ? { sessionId: source.session_id ?? '' } : { traceId: source.trace_id };
  const messages: Captured[] = [];
  const parents = new Map<string, string | null>();
  let after = 0;
  for (let page: StoredSpan[] = []; ; after = page.at(-1)?.seq ?? after) {
    page = await db.read((reader) => selectSpans(reader, projectId, { ...filter, after, limit: PAGE }));
    for (const stored of page) {
      const { span } = stored;
      parents.set(span.spanId, span.parentSpanId || null);
      if (span.name !== EXCHANGE_SPAN || stored.originId !== originId) continue;
      const captured = capturedOf(stored, hasher);
      if (captured) messages.push(captured);
    }
    if (parents.size > MOST_SPANS) throw relayErrors.replay_too_long();
    if (page.length < PAGE) break;
  }
  if (parents.size === 0)
    throw source.trace_id === undefined
      ? relayErrors.relay_session_not_found()
      : relayErrors.trace_not_found();
  messages.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  return { messages, parents };
}

/** Who takes whose place. */
function targetsOf(messages: readonly Captured[], to: readonly string[] = []): ReadonlyMap<string, string> {
  const agents = [...new Set(messages.map(({ peerId }) => peerId))];
  const targets = new Map<string, string>();
  for (const text of to) {
    const at = text.indexOf('=');
    const [only] = agents;
    const [old, now] =
      at < 0 ? [agents.length === 1 ? only : undefined, text] : [text.slice(0, at), text.slice(at + 1)];
    if (old === undefined || now === '' || !agents.includes(old) || targets.has(old))
      throw relayErrors.replay_target_unclear({ pointer: '/to', details: { agents: agents.slice(0, 20) } });
    targets.set(old, now);
  }
  return targets;
}

const MOST_SHOWN_TEXT = 200;

export function plannedView({ captured, to, governed, reason }: Planned, at: number): PlannedStep {
  const parts = (captured.message?.parts ?? []).filter((part): part is LooseRecord => isRecord(part));
  return {
    number: at + 1,
    trace_id: captured.traceId,
    span_id: captured.spanId,
    from: captured.sender,
    agent: captured.peerId,
    to,
    governed,
    streams: captured.operation === 'stream',
    text: textOf(parts).slice(0, MOST_SHOWN_TEXT),
    exact: captured.isExact,
    sent: reason === undefined,
    ...(reason !== undefined && { reason, why: REASONS[reason] }),
  };
}
