import type { Principal } from '../../../spine/identity/principal.ts';
import { bindAgent } from '../../../spine/identity/sessions/bound-agent.ts';
import type { Reviewed } from './changes.ts';
import { ClientSession } from './client-session.ts';
import type { ListedTool, UpstreamTool } from './gateway-atlas.ts';
import { GatewayCore, type GatewayOptions } from './gateway-core.ts';
import type { Wire } from './rpc.ts';
import { Upstreams } from './upstreams.ts';

export interface Gateway {
  readonly atlasId: string;
  /** Serves one client, with this credential, until either side closes. */
  connect(wire: Wire, principal: Principal, ended?: () => void): Promise<ClientSession>;
  /** Loads the policies and all tools as the servers list them now, changed ones too. Needs `atlas:write`. */
  accept(): Promise<Reviewed & { readonly unavailable: readonly string[] }>;
  close(): Promise<void>;
}

/** A gateway in front of MCP servers: it lists only allowed tools, runs every call through CARP, and traces it. */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, deps, principal } = options;
  if (config.agent_id !== undefined) {
    const agentId = config.agent_id;
    // First, so that a gateway that may not speak for its agent has changed nothing when it is refused.
    await deps.db.read((reader) => bindAgent(reader, principal, { agentId }));
  }
  const core = new GatewayCore(options);
  await core.atlas.repin();
  const clients = new Set<ClientSession>();
  return {
    atlasId: core.atlasId,
    async connect(wire, by, ended) {
      const client = new ClientSession(core, by, wire, () => {
        clients.delete(client);
        ended?.();
      });
      clients.add(client);
      await client.open();
      return client;
    },
    async accept() {
      const { listed, unavailable } = await listOnce(core);
      return { ...(await core.reviewNow(listed, 'accept')), unavailable };
    },
    async close() {
      await Promise.all([...clients].map((client) => client.close()));
      await core.close();
    },
  };
}

/** What the servers list for a client that can do nothing but list. */
async function listOnce(core: GatewayCore) {
  const hello = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'baton-gateway', version: core.version },
  };
  const upstreams = new Upstreams(core.config.servers, hello, (server) => ({
    request: async () => ({}),
    notification: () => undefined,
    up: () => undefined,
    down: () => undefined,
    stderr: (text) => core.stderr(server, text),
  }));
  try {
    await upstreams.start(core.startMs);
    const listed: ListedTool[] = [];
    for (const { upstream, lists } of upstreams.all) {
      for (const tool of await lists.get('tools/list'))
        listed.push({ server: upstream.name, tool: tool as unknown as UpstreamTool });
    }
    const down = upstreams.all.filter(({ upstream }) => upstream.fault !== undefined);
    return { listed, unavailable: down.map(({ upstream }) => `${upstream.name}: ${upstream.fault}`) };
  } finally {
    await upstreams.close();
  }
}
