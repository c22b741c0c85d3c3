import { aloneOperations } from '../../slices/relay/alone/operations.ts';
import { relayMigrations } from '../../slices/relay/migrations.ts';
import { relayOperations } from '../../slices/relay/operations.ts';
import type { RelayDeps } from '../../slices/relay/ports.ts';
import {
  type NamedSettings,
  type RelaySettings,
  readPushHosts,
  readRelaySettings,
  readSettingsFile,
} from '../../slices/relay/settings.ts';
import { createRelaySlice, type RelaySlice } from '../../slices/relay/slice.ts';
import { bind } from '../../spine/dispatch/registry.ts';
import { insider } from '../../spine/identity/on-behalf.ts';
import { DEFAULT_PROJECT } from '../../spine/identity/settings.ts';
import { describeError } from '../log.ts';
import { isLoopback } from '../settings.ts';
import type { Slice } from '../slice.ts';
import type { Spine } from '../spine.ts';
import { relayJoins } from './relay-joins.ts';

/** What the agents said to each other: A2A in, OpenTelemetry out. */
export const relaySlice: Slice = {
  migrations: relayMigrations,
  compose(spine, offers) {
    const named = { ...readSettingsFile(spine.settings.dataDir), ...spine.settings.relay };
    const relay = relayOn(spine, named, readRelaySettings(named), relayJoins(offers));
    return {
      operations: bind(relayOperations, relay.handlers),
      jobs: relay.jobs,
      served: relay.served,
      upkeep: relay.upkeep,
      close: relay.close,
      offers: {
        async askPeer(by, message, signal) {
          const { text, state, trace_id } = await relay.send(insider(by), message, signal);
          return { text, state, traceId: trace_id };
        },
      },
    };
  },
};

/** The relay without the other slices: it joins nothing, and has its paths at the root too. */
export function relayAloneSlice(named: NamedSettings, relaySettings: RelaySettings): Slice {
  return {
    migrations: relayMigrations,
    compose(spine) {
      const relay = relayOn(spine, named, relaySettings);
      return {
        operations: [...bind(relayOperations, relay.handlers), ...bind(aloneOperations, relay.aloneHandlers)],
        jobs: relay.jobs,
        served: relay.served,
        upkeep: relay.upkeep,
        close: relay.close,
      };
    },
  };
}

function relayOn(
  spine: Spine,
  named: NamedSettings,
  relaySettings: RelaySettings,
  joins: Pick<RelayDeps, 'resolve' | 'deposit'> = {},
): RelaySlice {
  const { identity, log, settings } = spine;
  return createRelaySlice({
    db: spine.db,
    clock: spine.clock,
    random: spine.random,
    ids: spine.ids,
    hasher: spine.hasher,
    journal: spine.journal,
    sessions: identity,
    record: identity.record,
    jobs: spine.jobs,
    inbox: spine.inbox,
    limiter: identity.limiter,
    search: spine.search,
    settings: relaySettings,
    dataDir: settings.dataDir,
    pushHosts: readPushHosts(named),
    defaultProject: DEFAULT_PROJECT,
    loopback: isLoopback(settings.host),
    bind: { host: settings.host, tls: settings.tls },
    authenticateKey: (key) => identity.authenticate({ apiKey: key }),
    ...joins,
    onError: (error, what) => log.warn({ error: describeError(error) }, what),
  });
}
