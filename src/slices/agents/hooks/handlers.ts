import type { Handlers } from '../../../spine/operations/handler.ts';
import { clientNamed } from '../clients/clients.ts';
import type { Client } from '../clients/event.ts';
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
  };
}

function named(name: string): Client {
  const client = clientNamed(name);
  if (!client) throw agentsErrors.client_unknown();
  return client;
}
