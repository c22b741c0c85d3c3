import { hostname } from 'node:os';
import type { Principal } from '../../spine/identity/principal.ts';
import type { JobHandler } from '../../spine/jobs/handler.ts';
import { requireReachable } from '../../spine/outbound/address-guard.ts';
import type { UnitOfWork } from '../../spine/storage/database.ts';
import { createOpenLog } from './crash-log.ts';
import { createLater } from './deferred-writes.ts';
import { relayErrors } from './errors.ts';
import { createHubs, type RelayContext } from './exchanges/deps.ts';
import { createRelay, type Relay } from './exchanges/endpoint.ts';
import { logPath } from './left-logs.ts';
import { toKeyValues } from './otlp/attributes.ts';
import { type Collector, createCollector } from './otlp/collect.ts';
import { createExporter, type Exporter } from './otlp/export.ts';
import { boundSpool } from './otlp/store.ts';
import { createUpstream, PEER_REACH } from './peers/connections.ts';
import { createPeerDirectory } from './peers/directory.ts';
import { deletePeer, type Peer, selectPeers, upsertPeer } from './peers/store.ts';
import type { RelayDeps } from './ports.ts';
import { PUSH_JOB } from './push/deliver.ts';
import { createPushes } from './push/interpose.ts';
import { prunePushConfigs } from './push/store.ts';
import { createRelayLedger } from './record-event.ts';
import type { PeerSettings, PeerView } from './schema.ts';
import { createRecovery } from './spans/recover.ts';
import { originOf, pruneSpans } from './spans/store.ts';
import { createTracer, type Tracer } from './spans/tracer.ts';
import { createTaskIndex } from './tasks/owners.ts';
import { pruneTasks } from './tasks/store.ts';

export interface RelayService {
  readonly deps: RelayDeps;
  readonly relay: Relay;
  readonly jobs: Readonly<Record<string, JobHandler>>;
  readonly collector: Collector;
  readonly tracer: Tracer;
  readonly exporter: Exporter | undefined;
  registerPeer(
    principal: Principal,
    peer: PeerSettings & { readonly id: string; readonly url: string },
  ): Promise<PeerView>;
  removePeer(uow: UnitOfWork, principal: Principal, peerId: string): Promise<void>;
  listPeers(projectId: string, withCards: boolean): Promise<PeerView[]>;
  upkeep(): Promise<void>;
  close(): Promise<void>;
}

const DAY_MICROS = 86_400e6;
const PRUNE_EVERY_MICROS = 60e6;
const PRUNE_AT_ONCE = 2_000;

export function createRelayService(deps: RelayDeps): RelayService {
  const { db, clock, random, hasher, settings, onError } = deps;
  const instanceId = deps.ids();
  const origin = originOf({ attributes: toKeyValues({ 'service.name': 'o2r' }) }, { name: 'o2r' }, hasher);
  const exporter =
    settings.exportUrl === undefined
      ? undefined
      : createExporter({ db, clock, url: settings.exportUrl, headers: settings.exportHeaders, onError });
  const spooled = () => exporter !== undefined;
  const log = createOpenLog(logPath(deps.dataDir, instanceId), {
    instance: instanceId,
    host: hostname(),
    pid: process.pid,
  });
  const recovery = createRecovery({ db, clock, instanceId, origin, dataDir: deps.dataDir, log, spooled });
  const later = createLater(db, onError);
  const tracer = createTracer({
    clock,
    random,
    instanceId,
    origin,
    finish: { redact: settings.content.mode !== 'full', profiles: settings.profiles },
    announce: recovery.announce,
    spooled,
    onSpooled: () => exporter?.wake(),
    later,
    log,
  });
  const upstream = createUpstream();
  const peers = createPeerDirectory(db, clock, upstream);
  const context: RelayContext = {
    settings,
    db,
    clock,
    hasher,
    tracer,
    upstream,
    hubs: createHubs(settings.replaySeconds),
    tasks: createTaskIndex(db, log),
    later,
    ledger: createRelayLedger(deps),
    deposit: deps.deposit,
    onError,
  };
  const pushes = createPushes({
    context,
    jobs: deps.jobs,
    random,
    ids: deps.ids,
    reach: { allowedHosts: deps.pushHosts },
  });
  let prunedAt = clock.now();
  const seeded = seedPeers();
  seeded.catch((error) => onError(error, 'peers of the settings'));

  async function seedPeers(): Promise<void> {
    const given = Object.entries(settings.peers);
    if (given.length === 0) return;
    const known = new Map(
      (await db.read((reader) => selectPeers(reader, deps.defaultProject))).map((peer) => [peer.id, peer]),
    );
    const missing = given.filter(([id, url]) => known.get(id)?.url !== url);
    if (missing.length === 0) return;
    await db.write(async (uow) => {
      for (const [id, url] of missing) {
        const access = deps.loopback ? ('open' as const) : ('key' as const);
        await upsertPeer(
          uow,
          { ...known.get(id), projectId: deps.defaultProject, id, url, access, source: 'setting' },
          clock.now(),
        );
      }
    });
  }

  async function viewOf(peer: Peer, withCard: boolean): Promise<PeerView> {
    const { projectId: _, ...own } = peer;
    if (!withCard) return own;
    const { interfaces, name, error } = await peers.describe(peer);
    return { ...own, name, interfaces: [...interfaces], ...(error !== undefined && { card_error: error }) };
  }

  return {
    deps,
    relay: createRelay(deps, context, peers, pushes),
    jobs: { [PUSH_JOB]: pushes.job },
    collector: createCollector(db, clock, hasher),
    tracer,
    exporter,
    async registerPeer(principal, given) {
      if (given.access === 'open' && !deps.loopback)
        throw relayErrors.peer_open_refused({ pointer: '/access' });
      try {
        requireReachable(new URL(given.url), PEER_REACH);
      } catch (cause) {
        throw relayErrors.peer_address_refused({ pointer: '/url', cause });
      }
      const peer: Peer = { ...given, projectId: principal.defaultProject, source: 'call' };
      await db.write(async (uow) => {
        await upsertPeer(uow, peer, clock.now());
        await deps.record(uow, {
          projectId: peer.projectId,
          actor: principal.actor,
          type: 'peer.registered',
          payload: {
            peer_id: peer.id,
            url: peer.url,
            role: peer.role ?? null,
            access: peer.access ?? 'key',
            governed: peer.governed === true || peer.governed_action !== undefined,
          },
        });
      });
      peers.forget(peer);
      return viewOf(peer, false);
    },
    async removePeer(uow, principal, peerId) {
      const projectId = principal.defaultProject;
      if (!(await deletePeer(uow, projectId, peerId))) return;
      await deps.record(uow, {
        projectId,
        actor: principal.actor,
        type: 'peer.removed',
        payload: { peer_id: peerId },
      });
      uow.afterCommit(() => peers.forget({ projectId, id: peerId }));
    },
    async listPeers(projectId, withCards) {
      const found = await db.read((reader) => selectPeers(reader, projectId));
      return Promise.all(found.map((peer) => viewOf(peer, withCards)));
    },
    async upkeep() {
      await recovery.run();
      exporter?.wake();
      const now = clock.now();
      if (now - prunedAt < PRUNE_EVERY_MICROS) return;
      prunedAt = now;
      const before = now - settings.retentionDays * DAY_MICROS;
      let pruned: number;
      do {
        pruned = await db.write(async (uow) => {
          await pruneTasks(uow, before);
          await prunePushConfigs(uow, before);
          await boundSpool(uow, settings.spoolSpans);
          return pruneSpans(uow, { before, keep: settings.retentionSpans, atMost: PRUNE_AT_ONCE });
        });
      } while (pruned >= PRUNE_AT_ONCE);
    },
    async close() {
      await seeded.catch(() => undefined);
      await later.settled();
      log.close();
      await exporter?.stop();
      await recovery.leave();
      upstream.close();
    },
  };
}
