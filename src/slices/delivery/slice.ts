import type { Clock, Random } from '../../kernel/clock.ts';
import type { Hasher } from '../../kernel/hasher.ts';
import type { JobHandler } from '../../spine/jobs/handler.ts';
import type { Handlers } from '../../spine/operations/handler.ts';
import type { Database } from '../../spine/storage/database.ts';
import { createDeliveryHandlers } from './mirror/handlers.ts';
import { registerInboxEffects } from './mirror/inbox-effects.ts';
import { createMirror, type Mirror } from './mirror/mirror.ts';
import type { deliveryOperations } from './operations.ts';
import type { DeliveryPorts } from './ports.ts';

export interface DeliveryParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  readonly ports: DeliveryPorts;
  readonly version?: string;
}

export interface Delivery {
  readonly handlers: Handlers<typeof deliveryOperations>;
  readonly mirror: Mirror;
  /** By kind of job: what applies a decision of the inbox to its run. */
  readonly jobs: Readonly<Record<string, JobHandler>>;
  /** For upkeep: follows every attached repository. */
  catchUp(onError?: (repositoryId: string, error: unknown) => void): Promise<void>;
}

/** The slice as the composition root sees it. Registers its kinds of question with the inbox. */
export function createDelivery(parts: DeliveryParts): Delivery {
  const mirror = createMirror(parts);
  const [kind, handler] = registerInboxEffects({ ...parts, mirror });
  return {
    handlers: createDeliveryHandlers({ ...parts, mirror }),
    mirror,
    jobs: { [kind]: handler },
    async catchUp(onError) {
      await mirror.catchUpAll(onError);
    },
  };
}
