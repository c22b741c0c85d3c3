import { type Handlers, JsonText } from '../../../spine/operations/handler.ts';
import { clientNamed } from '../clients/clients.ts';
import type { Client } from '../clients/event.ts';
import { textOf } from '../clients/members.ts';
import { agentsErrors } from '../errors.ts';
import type { AgentsPorts } from '../ports.ts';
import { handleHook } from './handle-hook.ts';
import type { hookOperations } from './operations.ts';

export function createHookHandlers(deps: AgentsPorts): Handlers<typeof hookOperations> {
  return {
    'agents.hook': async ({ input, principal, requestId, signal }) => {
      const client = named(input.path.client);
      return {
        body: { ...(await handleHook(deps, { principal, client, body: input.body, requestId, signal })) },
      };
    },

    'agents.hook_direct': async ({ input, principal, requestId, signal }) => {
      const client = named(input.path.client);
      const { root, prompts, wait_seconds } = input.query;
      const message = input.body;
      const cwd = textOf(message, 'cwd') ?? root;
      const place = { ...deps.here, cwd, root };
      const body = {
        message,
        place,
        ...(prompts !== undefined && { prompts }),
        ...(wait_seconds !== undefined && { wait_seconds }),
      };
      const { stdout } = await handleHook(deps, { principal, client, body, requestId, signal });
      return { body: new JsonText(stdout?.trim() ?? '') };
    },
  };
}

function named(name: string): Client {
  const client = clientNamed(name);
  if (!client) throw agentsErrors.client_unknown();
  return client;
}
