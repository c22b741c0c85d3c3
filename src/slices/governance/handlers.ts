import type { Handlers } from '../../spine/operations/handler.ts';
import { createApprovalHandlers } from './approvals/handlers.ts';
import { createAtlasHandlers } from './atlases/handlers.ts';
import { createExecutionHandlers } from './execution/handlers.ts';
import type { governanceOperations } from './operations.ts';
import { createPolicyHandlers } from './policies/handlers.ts';
import type { GovernanceDeps } from './ports.ts';
import { schemaHandlers } from './published-schemas/handlers.ts';
import { createResolutionHandlers } from './resolution/handlers.ts';
import { createSessionHandlers } from './sessions/handlers.ts';
import { createTraceHandlers } from './traces/handlers.ts';

export function createGovernanceHandlers(deps: GovernanceDeps): Handlers<typeof governanceOperations> {
  return {
    ...createSessionHandlers(deps),
    ...createResolutionHandlers(deps),
    ...createExecutionHandlers(deps),
    ...createPolicyHandlers(deps),
    ...createApprovalHandlers(deps),
    ...createTraceHandlers(deps),
    ...createAtlasHandlers(deps),
    ...schemaHandlers,
  };
}
