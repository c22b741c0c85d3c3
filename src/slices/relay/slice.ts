import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createSealingKey } from '../../platform/sealing-key.ts';
import type { Principal } from '../../spine/identity/principal.ts';
import type { JobHandler } from '../../spine/jobs/handler.ts';
import type { Handlers } from '../../spine/operations/handler.ts';
import { createAloneHandlers } from './alone/handlers.ts';
import type { aloneOperations } from './alone/operations.ts';
import { CARD_KIND, createCatalogue } from './catalogue/catalogue.ts';
import { createCatalogueHandlers } from './catalogue/handlers.ts';
import { createCardRefresh } from './catalogue/refresh.ts';
import { createChannelHandlers } from './channel/handlers.ts';
import { createCrashLog, logPath } from './crash-log.ts';
import { createDeferredWrites } from './deferred-writes.ts';
import { relayErrors } from './errors.ts';
import { createAudit } from './exchanges/audit.ts';
import { createExchanges } from './exchanges/begin.ts';
import { createCallers } from './exchanges/callers.ts';
import { createCapacity } from './exchanges/capacity.ts';
import { createA2aEndpoint } from './exchanges/endpoint.ts';
import type { ExchangeDeps } from './exchanges/exchange.ts';
import { createGrpcEndpoint } from './exchanges/grpc-endpoint.ts';
import { createExchangeHandlers } from './exchanges/handlers.ts';
import { createOperator } from './exchanges/operator.ts';
import { createReadStatus } from './exchanges/status.ts';
import type { GrpcListener } from './grpc/listen.ts';
import type { relayOperations } from './operations.ts';
import { createExporter } from './otlp/export.ts';
import { boundSpool } from './otlp/store.ts';
import { createPeerConnections } from './peers/connections.ts';
import { createIdentifies } from './peers/credentials/identify.ts';
import { createCredentialVault } from './peers/credentials/vault.ts';
import { createPeerDirectory, type PeerDirectory } from './peers/directory.ts';
import { createPeerHandlers } from './peers/handlers.ts';
import { createPeerHealth } from './peers/health.ts';
import { createPeerLimits } from './peers/limits.ts';
import { createPeers } from './peers/manage.ts';
import { createPeerSender } from './peers/send-to-peer.ts';
import type { RelayDeps } from './ports.ts';
import { PUSH_JOB } from './push/deliver.ts';
import { createPushNotifications } from './push/interpose.ts';
import { prunePushConfigs } from './push/store.ts';
import { createEventRecorder } from './record-event.ts';
import { createReplayHandlers } from './replays/handlers.ts';
import { createReplays } from './replays/replays.ts';
import { pruneReplays } from './replays/store.ts';
import type { ExchangeView, SendInput } from './schema.ts';
import { createCollector } from './spans/collect.ts';
import { createSpanHandlers } from './spans/handlers.ts';
import { createRecovery } from './spans/recover.ts';
import { relayOrigin } from './spans/store.ts';
import { createTracer } from './spans/tracer.ts';
import { createHeldStreams } from './streams/replay.ts';
import { createTaskHandlers } from './tasks/handlers.ts';
import { createTaskOwners } from './tasks/owners.ts';
import { pruneTasks } from './tasks/store.ts';
import { createTelemetryCollector } from './telemetry/receive.ts';
import { createSpanFollower } from './traces/follow-spans.ts';
import { createTraceHandlers } from './traces/handlers.ts';
import { indexTexts } from './traces/index-texts.ts';
import { createRetention } from './traces/retention.ts';
import { createUsageHandlers } from './usage/handlers.ts';

export interface RelaySlice {
  readonly handlers: Handlers<typeof relayOperations>;
  /** For a relay that runs without the other slices: the same, under paths of its own. */
  readonly aloneHandlers: Handlers<typeof aloneOperations>;
  readonly jobs: Readonly<Record<string, JobHandler>>;
  /**
   * Sends a message to a peer as `principal` and waits for the answer, which may take minutes; call it outside any unit.
   * The call is audited in the journal and traced. Throws `exchange_failed`, `exchange_refused` or `verb_denied`.
   */
  send(principal: Principal, message: SendInput, signal: AbortSignal): Promise<ExchangeView>;
  /**
   * To be called every few seconds: closes what processes that are gone left open, sends what waits for export, and
   * deletes what is older or more than the settings keep.
   */
  upkeep(): Promise<void>;
  /** To be called once the server listens at this address: listens to gRPC beside it, where the settings say so. */
  served(url: string): Promise<void>;
  /** Stores what was deferred and gives everything back. Call it once no request is served any more. */
  close(): Promise<void>;
}

const DAY_MICROS = 86_400e6;
const PRUNE_EVERY_MICROS = 60e6;
/** Some 20 ms each: what is left waits for the next time, so that a burst of messages holds nobody up. */
const TEXTS_AT_ONCE = 20;

export function createRelaySlice(deps: RelayDeps): RelaySlice {
  const { db, clock, random, hasher, ids, settings, onError } = deps;
  const instanceId = ids();
  const origin = relayOrigin(hasher);
  const exporter =
    settings.exportUrl === undefined
      ? undefined
      : createExporter({ db, clock, url: settings.exportUrl, headers: settings.exportHeaders, onError });
  const spooled = () => exporter !== undefined;
  const log = createCrashLog(logPath(deps.dataDir, instanceId), {
    instance: instanceId,
    host: hostname(),
    pid: process.pid,
  });
  const recordEvent = createEventRecorder(deps);
  const recovery = createRecovery({
    ...{ db, clock, instanceId, origin, dataDir: deps.dataDir, log, spooled, recordEvent, onError },
    deposit: deps.deposit,
  });
  const deferred = createDeferredWrites(db, onError);
  const tracer = createTracer({
    clock,
    random,
    instanceId,
    origin,
    finish: { redact: settings.content.mode !== 'full', profiles: settings.profiles },
    announce: recovery.announce,
    spooled,
    onSpooled: () => exporter?.wake(),
    deferred,
    log,
  });
  const connections = createPeerConnections();
  const vault = createCredentialVault(
    createSealingKey({
      given: settings.credentialKey,
      path: join(deps.dataDir, 'relay-credentials.key'),
      random,
      unreadable: () => relayErrors.credential_key_unreadable(),
    }),
    clock,
  );
  const health = createPeerHealth(clock);
  const identifies = createIdentifies(vault, connections, clock);
  const sender = createPeerSender({ connections, identifies, health, clock, random });
  const catalogue = createCatalogue(deps, (peer) => directory.forget(peer));
  deps.inbox.register(CARD_KIND, catalogue.effect);
  const directory: PeerDirectory = createPeerDirectory({
    ...{ db, clock, sender, catalogue },
    defaultPeer: settings.defaultPeer,
  });
  const cards = createCardRefresh(db, clock, directory, onError);
  const exchangeDeps: ExchangeDeps & RelayDeps = {
    ...deps,
    tracer,
    sender,
    heldStreams: createHeldStreams(settings.replaySeconds),
    tasks: createTaskOwners(db, log),
    deferred,
    log,
    recordEvent,
  };
  const push = createPushNotifications({ ...exchangeDeps, reach: { allowedHosts: deps.pushHosts } });
  const limits = createPeerLimits(deps.limiter);
  let grpc: GrpcListener | undefined;
  let servedAt = '';
  const grpcAt = (hostname: string) => grpc && (settings.grpcAddress ?? `${hostname}:${grpc.port}`);
  const exchanges = createExchanges({ ...exchangeDeps, peers: directory, limits, push, grpcAt });
  const callers = createCallers(deps);
  const capacity = createCapacity(settings.maxConcurrent, deferred);
  const endpoint = createA2aEndpoint({
    ...exchangeDeps,
    ...{ peers: directory, push, grpcAt, exchanges, callers, capacity },
  });
  const audit = createAudit({ ...deps, tracer });
  const operator = createOperator({ ...deps, endpoint, audit, tracer });
  const peers = createPeers({ ...deps, directory, health, vault });
  const replays = createReplays({
    ...deps,
    ...{ exchanges, capacity, audit, tracer, directory, deferred, originId: origin.id },
  });
  const seeded = peers.seed(settings.peers);
  seeded.catch((error) => onError(error, 'peers of the settings'));
  const follower = createSpanFollower(db);
  const handlers = {
    ...createSpanHandlers({
      ...deps,
      collector: createCollector(deps),
      telemetry: createTelemetryCollector(deps),
      follower,
    }),
    ...createTraceHandlers({ ...deps, follower }),
    ...createUsageHandlers({ ...deps, follower }),
    ...createPeerHandlers(peers),
    ...createCatalogueHandlers({ db, connections, health }),
    ...createExchangeHandlers({
      endpoint,
      operator,
      audit,
      readStatus: createReadStatus(settings, endpoint),
    }),
    ...createReplayHandlers(replays),
    ...createTaskHandlers(operator),
    ...createChannelHandlers({ ...deps, tracer }),
  };
  const retention = createRetention(db, deps.search, settings);
  let prunedAt = clock.now();

  async function prune(now: number): Promise<void> {
    const before = now - settings.retentionDays * DAY_MICROS;
    await db.write(async (uow) => {
      await pruneTasks(uow, before);
      await prunePushConfigs(uow, before);
      await pruneReplays(uow, before);
      await boundSpool(uow, settings.spoolSpans);
    });
    await retention.run(now);
  }

  return {
    handlers,
    aloneHandlers: createAloneHandlers({ ...deps, endpoint, peers, directory }, handlers),
    jobs: { [PUSH_JOB]: push.job },
    send: operator.send,
    async upkeep() {
      await recovery.run();
      await replays.endAbandoned();
      exporter?.wake();
      cards.run();
      while (await follower.step());
      for (let batch = 0; batch < TEXTS_AT_ONCE && (await indexTexts(db, deps.search)); batch += 1);
      const now = clock.now();
      if (now - prunedAt < PRUNE_EVERY_MICROS) return;
      prunedAt = now;
      await prune(now);
    },
    async served(url) {
      servedAt = url;
      if (settings.grpcPort === undefined) return;
      // It takes as long to load as all the rest of the relay.
      const { listenGrpc } = await import('./grpc/listen.ts');
      const { host, tls } = deps.bind;
      const file = (path: string) => readFileSync(path);
      const answer = createGrpcEndpoint({
        ...{ peers: directory, tasks: exchangeDeps.tasks, exchanges, callers, capacity },
        defaultProject: deps.defaultProject,
        origin: () => servedAt,
      });
      grpc = await listenGrpc(
        {
          ...{ host, port: settings.grpcPort, maxBytes: settings.maxBodyBytes },
          tls: tls && {
            ...{ cert: file(tls.cert), key: file(tls.key) },
            ...(tls.clientCa && { clientCa: file(tls.clientCa) }),
          },
        },
        answer,
      ).catch((cause) => {
        throw relayErrors.grpc_unavailable({ details: { port: settings.grpcPort }, cause });
      });
    },
    async close() {
      await replays.close();
      await grpc?.close();
      await seeded.catch(() => undefined);
      await cards.settled();
      await deferred.settled();
      log.close();
      await exporter?.stop();
      await recovery.leave();
      connections.close();
    },
  };
}
