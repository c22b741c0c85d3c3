import { bind } from '../../dispatch/registry.ts';
import { DEFAULT_PROJECT } from '../../identity/settings.ts';
import { createChannelHandlers } from '../../relay/channel/handlers.ts';
import { channelOperations } from '../../relay/channel/operations.ts';
import { createRelayHandlers } from '../../relay/handlers.ts';
import { relayMigrations } from '../../relay/migrations.ts';
import { relayOperations } from '../../relay/operations.ts';
import { createOperator } from '../../relay/service/operator.ts';
import { createRelayService } from '../../relay/service/service.ts';
import { readPushHosts, readSettingsFile } from '../../relay/service/settings-file.ts';
import { readRelaySettings } from '../../relay/settings.ts';
import { insider } from '../inside-call.ts';
import { describeError } from '../log.ts';
import type { Slice } from '../slice.ts';
import { relayJoins } from './relay-joins.ts';

/** What the agents said to each other: A2A in, OpenTelemetry out. */
export const relaySlice: Slice = {
  migrations: relayMigrations,
  compose(spine, offers) {
    const { identity, log, settings } = spine;
    const named = readSettingsFile(settings.dataDir);
    const service = createRelayService({
      db: spine.db,
      clock: spine.clock,
      random: spine.random,
      ids: spine.ids,
      hasher: spine.hasher,
      journal: spine.journal,
      sessions: identity,
      record: identity.record,
      jobs: spine.jobs,
      settings: readRelaySettings(named),
      dataDir: settings.dataDir,
      pushHosts: readPushHosts(named),
      defaultProject: DEFAULT_PROJECT,
      loopback: /^(localhost|::1|127\..*)$/.test(settings.host),
      authenticateKey: (key) => identity.authenticate({ apiKey: key }),
      ...relayJoins(offers),
      onError: (error, what) => log.warn({ error: describeError(error) }, what),
    });
    const operator = createOperator(service);
    return {
      operations: [
        ...bind(relayOperations, createRelayHandlers(service)),
        ...bind(channelOperations, createChannelHandlers(service)),
      ],
      jobs: service.jobs,
      upkeep: service.upkeep,
      close: service.close,
      offers: {
        async askPeer(by, message, signal) {
          const { text, state, trace_id } = await operator.send(insider(by), message, signal);
          return { text, state, traceId: trace_id };
        },
      },
    };
  },
};
