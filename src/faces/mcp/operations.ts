import { defineOperations, raw } from '../../spine/operations/define.ts';

export const mcpOperations = defineOperations({
  'mcp.http': {
    ...raw('ours', 'self'),
    summary: 'Speak MCP over streamable HTTP.',
    description: 'Each tool call and each resource needs the scope of the operation behind it.',
    input: {},
    errors: [],
    http: { method: 'ANY', path: '/mcp', protectedResource: true },
  },
});
