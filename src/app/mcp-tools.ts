import { operations } from '../../packages/client/src/operations.ts';
import { describeTools } from '../faces/mcp/tools.ts';

/** The responses to `tools/list`. The build puts the value here (`scripts/evaluated.mjs`). */
export const toolLists = lists();

function lists() {
  const tools = describeTools(Object.values(operations));
  return { core: tools.list('core'), all: tools.list('all') };
}
