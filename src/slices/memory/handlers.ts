import type { Handlers } from '../../spine/operations/handler.ts';
import { createConsentHandlers } from './consent/handlers.ts';
import { createConsolidationHandlers } from './consolidation/handlers.ts';
import { createErasureHandlers } from './erasure/handlers.ts';
import { createKeepingHandlers } from './memories/handlers.ts';
import type { memoryOperations } from './operations.ts';
import { createProfileHandlers } from './profiles/handlers.ts';
import { createProposalHandlers } from './proposals/handlers.ts';
import { createReadingHandlers } from './reading/handlers.ts';
import { createRegistryHandlers } from './registry/handlers.ts';
import type { MemoryService } from './slice.ts';
import { createWebhookHandlers } from './webhooks/handlers.ts';

export function createMemoryHandlers(service: MemoryService): Handlers<typeof memoryOperations> {
  return {
    ...createProfileHandlers(service),
    ...createProposalHandlers(service),
    ...createKeepingHandlers(service),
    ...createReadingHandlers(service),
    ...createConsolidationHandlers(service),
    ...createConsentHandlers(service),
    ...createRegistryHandlers(service),
    ...createErasureHandlers(service),
    ...createWebhookHandlers(service),
  };
}
