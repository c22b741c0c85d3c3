import type { LooseRecord } from '../../../kernel/json/loose.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { PlainHeaders, PlainRequest } from '../../../spine/operations/plain.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import type { A2aBinding, A2aOperation, A2aVersion } from '../a2a/methods.ts';
import type { ObservedMessage } from '../a2a/observe.ts';
import type { RpcId } from '../a2a/reply.ts';
import type { CrashLog } from '../crash-log.ts';
import type { DeferredWrites } from '../deferred-writes.ts';
import type { PeerInterface } from '../peers/directory.ts';
import type { PeerSender } from '../peers/send-to-peer.ts';
import type { Peer } from '../peers/store.ts';
import type { RelayDeps } from '../ports.ts';
import type { EventRecorder } from '../record-event.ts';
import type { Tracer } from '../spans/tracer.ts';
import type { HeldStreams } from '../streams/replay.ts';
import type { TaskOwners } from '../tasks/owners.ts';
import type { ReplayMark } from './trace.ts';

/** One request of a caller, understood. */
export interface Exchange {
  readonly projectId: string;
  readonly principal: Principal | undefined;
  /** Who asks, as far as it can be proved: positions in a stream are kept by it. */
  readonly caller: string;
  readonly peer: Peer;
  readonly interfaces: readonly PeerInterface[];
  readonly operation: A2aOperation;
  readonly version: A2aVersion;
  readonly binding: A2aBinding;
  readonly id: RpcId;
  readonly params: LooseRecord;
  readonly message: ObservedMessage | undefined;
  /** The task that it is about was known to be this peer's before. */
  readonly ownerStored: boolean;
  readonly method: string;
  /** What stands after the agent in the path, with the query: for HTTP+JSON. */
  readonly rest: string;
  readonly headers: PlainHeaders;
  readonly bytes: Uint8Array | undefined;
  /** The peer's answer as its caller is to see it, where that is not the same. */
  readonly revealed: ((answer: Uint8Array) => Promise<Uint8Array>) | undefined;
  readonly replay: ReplayMark | undefined;
  /** What the decision that let it go on leaves on record, where it was shared with others. */
  readonly recordDecision: ((uow: UnitOfWork) => Promise<void>) | undefined;
  readonly onGone: PlainRequest['onGone'];
  /** Called once the exchange is over: its place at the peer is free again. */
  readonly leave: () => void;
}

/** What every exchange is handed. */
export interface ExchangeDeps
  extends Pick<RelayDeps, 'settings' | 'db' | 'clock' | 'hasher' | 'deposit' | 'onError'> {
  readonly tracer: Tracer;
  readonly sender: PeerSender;
  readonly heldStreams: HeldStreams;
  readonly tasks: TaskOwners;
  readonly deferred: DeferredWrites;
  readonly log: CrashLog;
  readonly recordEvent: EventRecorder;
}
