import { bind } from '../../dispatch/registry.ts';
import { DEFAULT_PROJECT } from '../../identity/settings.ts';
import { createAloneHandlers } from '../../relay/alone/handlers.ts';
import { aloneOperations } from '../../relay/alone/operations.ts';
import { createChannelHandlers } from '../../relay/channel/handlers.ts';
import { channelOperations } from '../../relay/channel/operations.ts';
import { createRelayHandlers } from '../../relay/handlers.ts';
import { relayMigrations } from '../../relay/migrations.ts';
import { relayOperations } from '../../relay/operations.ts';
import { createRelayService } from '../../relay/service/service.ts';
import type { RelaySettings } from '../../relay/settings.ts';
import { describeError } from '../log.ts';
import { isLoopback } from '../loopback.ts';
import type { Slice } from '../slice.ts';

/** The relay without the other slices: joins that need them are not there, and its paths stand at the root too. */
export function relayAloneSlice(relaySettings: RelaySettings): Slice {
  return {
    migrations: relayMigrations,
    compose(spine) {
      const { identity, log, settings } = spine;
      const service = createRelayService({
        db: spine.db,
        clock: spine.clock,
        random: spine.random,
        ids: spine.ids,
        hasher: spine.hasher,
        journal: spine.journal,
        sessions: identity,
        record: identity.record,
        settings: relaySettings,
        jobs: spine.jobs,
        dataDir: settings.dataDir,
        pushHosts: [],
        defaultProject: DEFAULT_PROJECT,
        loopback: isLoopback(settings.host),
        authenticateKey: (key) => identity.authenticate({ apiKey: key }),
        onError: (error, what) => log.warn({ error: describeError(error) }, what),
      });
      return {
        operations: [
          ...bind(relayOperations, createRelayHandlers(service)),
          ...bind(channelOperations, createChannelHandlers(service)),
          ...bind(aloneOperations, createAloneHandlers(service)),
        ],
        jobs: service.jobs,
        upkeep: service.upkeep,
        close: service.close,
      };
    },
  };
}
