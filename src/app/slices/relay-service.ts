import type { RelayDeps } from '../../slices/relay/ports.ts';
import { createRelayService, type RelayService } from '../../slices/relay/service/service.ts';
import { readPushHosts } from '../../slices/relay/service/settings-file.ts';
import type { NamedSettings, RelaySettings } from '../../slices/relay/settings.ts';
import { DEFAULT_PROJECT } from '../../spine/identity/settings.ts';
import { describeError } from '../log.ts';
import { isLoopback } from '../settings.ts';
import type { Spine } from '../spine.ts';

/** The relay on the spine, with the joins that the other slices make possible. */
export function relayServiceOn(
  spine: Spine,
  named: NamedSettings,
  relaySettings: RelaySettings,
  joins: Pick<RelayDeps, 'resolve' | 'deposit'> = {},
): RelayService {
  const { identity, log, settings } = spine;
  return createRelayService({
    db: spine.db,
    clock: spine.clock,
    random: spine.random,
    ids: spine.ids,
    hasher: spine.hasher,
    journal: spine.journal,
    sessions: identity,
    record: identity.record,
    jobs: spine.jobs,
    settings: relaySettings,
    dataDir: settings.dataDir,
    pushHosts: readPushHosts(named),
    defaultProject: DEFAULT_PROJECT,
    loopback: isLoopback(settings.host),
    authenticateKey: (key) => identity.authenticate({ apiKey: key }),
    ...joins,
    onError: (error, what) => log.warn({ error: describeError(error) }, what),
  });
}
