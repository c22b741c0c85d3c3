import { approvalOperations } from './approvals/operations.ts';
import { atlasOperations } from './atlases/operations.ts';
import { executionOperations } from './execution/operations.ts';
import { impactOperations } from './impact/operations.ts';
import { permissionOperations } from './permission/operations.ts';
import { schemaOperations } from './published-schemas/operations.ts';
import { resolutionOperations } from './resolution/operations.ts';
import { sessionOperations } from './sessions/operations.ts';
import { standingOperations } from './standing/operations.ts';
import { traceOperations } from './traces/operations.ts';

export const governanceOperations = {
  ...sessionOperations,
  ...resolutionOperations,
  ...executionOperations,
  ...permissionOperations,
  ...approvalOperations,
  ...standingOperations,
  ...traceOperations,
  ...atlasOperations,
  ...impactOperations,
  ...schemaOperations,
} as const;
