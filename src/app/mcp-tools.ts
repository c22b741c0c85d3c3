import { operations } from '../../packages/client/src/operations.ts';
import { describeTools, listOf } from '../faces/mcp/tools.ts';

/** The response to `tools/list`. The build puts the value here (`scripts/evaluated.mjs`). */
export const toolList = listOf(describeTools(Object.values(operations)));
