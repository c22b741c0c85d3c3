import { createChannelHandlers } from '../../slices/relay/channel/handlers.ts';
import { channelOperations } from '../../slices/relay/channel/operations.ts';
import { createRelayHandlers } from '../../slices/relay/handlers.ts';
import { relayMigrations } from '../../slices/relay/migrations.ts';
import { relayOperations } from '../../slices/relay/operations.ts';
import { createOperator } from '../../slices/relay/service/operator.ts';
import { readSettingsFile } from '../../slices/relay/service/settings-file.ts';
import { readRelaySettings } from '../../slices/relay/settings.ts';
import { bind } from '../../spine/dispatch/registry.ts';
import { insider } from '../../spine/identity/on-behalf.ts';
import type { Slice } from '../slice.ts';
import { relayJoins } from './relay-joins.ts';
import { relayServiceOn } from './relay-service.ts';

/** What the agents said to each other: A2A in, OpenTelemetry out. */
export const relaySlice: Slice = {
  migrations: relayMigrations,
  compose(spine, offers) {
    const named = { ...readSettingsFile(spine.settings.dataDir), ...spine.settings.relay };
    const service = relayServiceOn(spine, named, readRelaySettings(named), relayJoins(offers));
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
