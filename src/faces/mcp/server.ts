import {
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { named } from '../../kernel/quoted.ts';
import type { Principal } from '../../spine/identity/principal.ts';
import { agentSentence } from './agent-words.ts';
import { boundTo, callForAgent, type McpDeps, refusalOf } from './call.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { servePrompts } from './prompts.ts';
import { type SubscriptionsOf, serveResources } from './resources/handlers.ts';
import { failure, toolResult } from './result.ts';
import { toolsOf } from './tools.ts';

export interface McpServerDeps {
  readonly version: string;
  /** Asked before the product is, so that an agent which only wants to see the tools need not wait for it. */
  readonly list: () => ListToolsResult | Promise<ListToolsResult>;
  readonly services: () => McpDeps | Promise<McpDeps>;
  /** Who makes the request: over HTTP each has a caller of its own. */
  readonly principalOf: (context: ServerContext) => Principal | Promise<Principal>;
  readonly connectionOf: (context: ServerContext) => string | undefined;
  /** Takes an event of the client that started this process. */
  readonly hook?: (message: Readonly<Record<string, unknown>>) => Promise<string>;
  /** None where the revision has its own way to listen. */
  readonly subscriptions?: SubscriptionsOf | undefined;
}

/** For the client, not for its model: it is never listed. */
const HOOK_TOOL = 'hook';

/** Tools, prompts and resources on the SDK's low-level server: nothing is described for it that was so before. */
export function createMcpServer(deps: McpServerDeps): Server {
  const server = new Server(
    { name: 'baton', title: 'Baton', version: deps.version },
    {
      instructions: INSTRUCTIONS,
      capabilities: { tools: {}, prompts: {}, resources: { subscribe: true } },
    },
  );
  server.setRequestHandler('tools/list', () => deps.list());
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    if (params.name === HOOK_TOOL && deps.hook) {
      return { content: [{ type: 'text' as const, text: await deps.hook(params.arguments ?? {}) }] };
    }
    const services = await deps.services();
    const chosen = toolsOf(services.registry()).choose(params.name, params.arguments ?? {});
    if (!chosen)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${named(params.name)} not found`);
    if ('text' in chosen) return { content: [{ type: 'text' as const, text: chosen.text }] };
    if ('fault' in chosen) return failure(`invalid_input: ${chosen.fault}`);
    const { action, input, core } = chosen;
    const { name } = action.operation;
    try {
      const text = await callForAgent(services, boundTo(services, name), {
        principal: await deps.principalOf(context),
        input,
        signal: context.mcpReq.signal,
        connection: deps.connectionOf(context),
      });
      return toolResult(text, core);
    } catch (thrown) {
      return failure(agentSentence(refusalOf(services, thrown, name), action));
    }
  });
  servePrompts(server, deps);
  serveResources(server, deps);
  return server;
}
