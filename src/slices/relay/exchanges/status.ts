import type { z } from 'zod';
import type { Reader } from '../../../spine/storage/database.ts';
import { countSpooled, readCounters } from '../otlp/store.ts';
import { selectPeers } from '../peers/store.ts';
import type { statusSchema } from '../schema.ts';
import type { RelaySettings } from '../settings.ts';
import type { A2aEndpoint } from './endpoint.ts';

/** The version of the relay's protocol that is spoken here. */
export const PROTOCOL = '0.4';

export type ReadStatus = (reader: Reader, projectId: string) => Promise<z.infer<typeof statusSchema>>;

export function createReadStatus(settings: RelaySettings, endpoint: A2aEndpoint): ReadStatus {
  return async (reader, projectId) => {
    const counters = await readCounters(reader);
    return {
      protocol: PROTOCOL,
      peers: (await selectPeers(reader, projectId)).length,
      star_enforce: settings.starEnforce,
      open_exchanges: endpoint.open,
      export: {
        endpoint: settings.exportUrl ?? null,
        waiting: await countSpooled(reader),
        sent: counters.exported ?? 0,
        rejected: counters.export_rejected ?? 0,
        dropped: counters.spool_dropped ?? 0,
      },
    };
  };
}
