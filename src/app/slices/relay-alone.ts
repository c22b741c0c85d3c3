import { bind } from '../../dispatch/registry.ts';
import { createAloneHandlers } from '../../relay/alone/handlers.ts';
import { aloneOperations } from '../../relay/alone/operations.ts';
import { createChannelHandlers } from '../../relay/channel/handlers.ts';
import { channelOperations } from '../../relay/channel/operations.ts';
import { createRelayHandlers } from '../../relay/handlers.ts';
import { relayMigrations } from '../../relay/migrations.ts';
import { relayOperations } from '../../relay/operations.ts';
import type { NamedSettings, RelaySettings } from '../../relay/settings.ts';
import type { Slice } from '../slice.ts';
import { relayServiceOn } from './relay-service.ts';

/** The relay without the other slices: joins that need them are not there, and its paths stand at the root too. */
export function relayAloneSlice(named: NamedSettings, relaySettings: RelaySettings): Slice {
  return {
    migrations: relayMigrations,
    compose(spine) {
      const service = relayServiceOn(spine, named, relaySettings);
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
