import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { Principal } from '../../../../spine/identity/principal.ts';
import { roles } from '../../../../spine/identity/roles.ts';
import type { Policy } from '../../atlases/schema.ts';
import { people, type World } from '../../testing/world.ts';
import { type GatewayConfig, gatewayConfigSchema, type UpstreamConfig } from '../config.ts';
import { type Gateway, openGateway } from '../gateway.ts';
import type { Wire } from '../rpc.ts';

export const FULL_SERVER: UpstreamConfig = {
  command: process.execPath,
  args: [join(import.meta.dirname, 'full-server.mjs')],
};
export const SMALL_SERVER: UpstreamConfig = {
  command: process.execPath,
  args: [join(import.meta.dirname, 'small-server.mjs')],
};

export const ALLOW_ALL: Policy = { policy_id: 'all', type: 'allow' };

/** An agent's key that speaks for the editor and may load Atlases. */
export const loader: Principal = { ...people.bot, speaksFor: ['editor'] };
/** The same as agents have it. */
export const agent: Principal = { ...loader, scopes: new Set(roles.agent) };

export interface Notice {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> | undefined;
}

/** For tests: a gateway and its clients on a world, all closed together. */
export function gatewaysOn(world: World) {
  const closing: (() => Promise<unknown>)[] = [];
  async function open(
    config: Partial<GatewayConfig>,
    principal: Principal = loader,
  ): Promise<{ gateway: Gateway; connect: typeof connect }> {
    const parsed = gatewayConfigSchema.parse({
      agent_id: 'editor',
      goal: 'Keep notes',
      servers: { notes: SMALL_SERVER },
      policies: [],
      approval_wait_seconds: 0,
      ...config,
    });
    const gateway = await openGateway({ config: parsed, deps: world.governance.deps, principal });
    closing.push(() => gateway.close());
    async function connect(client = new Client({ name: 'editor', version: '1' }), by = principal) {
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      const session = await gateway.connect(theirs as unknown as Wire, by);
      await client.connect(ours);
      closing.unshift(() => client.close());
      return { client, session, ...callsOf(client) };
    }
    return { gateway, connect };
  }
  return {
    open,
    async close() {
      for (const each of closing.splice(0)) await each();
    },
  };
}

export function callsOf(client: Client) {
  return {
    names: async () =>
      (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.map(({ name }) => name),
    async call(name: string, args: Record<string, unknown> = {}) {
      const { isError, content } = await client.callTool({ name, arguments: args });
      return { isError: isError ?? false, text: (content as { text: string }[])[0]?.text ?? '' };
    },
  };
}
