import { type Client, createClient } from '../../../packages/client/src/client.ts';
import type { TestServer } from '../../setup/server.ts';

/** A client with a key of its own, as an agent works. */
export async function agentClient(server: TestServer, actorId: string): Promise<Client> {
  const { token } = await server.client.call('keys.create', { actor_id: actorId, actor_type: 'agent' });
  return createClient({ url: server.url, token: token as string });
}
