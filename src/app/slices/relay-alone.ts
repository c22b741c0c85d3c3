import { createAloneHandlers } from '../../slices/relay/alone/handlers.ts';
import { aloneOperations } from '../../slices/relay/alone/operations.ts';
import { createChannelHandlers } from '../../slices/relay/channel/handlers.ts';
import { channelOperations } from '../../slices/relay/channel/operations.ts';
import { createRelayHandlers } from '../../slices/relay/handlers.ts';
import { relayMigrations } from '../../slices/relay/migrations.ts';
import { relayOperations } from '../../slices/relay/operations.ts';
import type { NamedSettings, RelaySettings } from '../../slices/relay/settings.ts';
import { bind } from '../../spine/dispatch/registry.ts';
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
