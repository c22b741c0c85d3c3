import { Server } from '@modelcontextprotocol/server';
import { BatonError } from '../../../kernel/error.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { fromPlain, toPlain } from '../../../kernel/json/plain.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { bindAgent } from '../../../spine/identity/sessions/bound-agent.ts';
import { loadAtlas } from '../atlases/load.ts';
import { atlasOf } from '../atlases/rules/atlas.ts';
import { emitTools } from '../atlases/rules/emit-tools.ts';
import { selectActiveLoads } from '../atlases/store.ts';
import { governanceErrors } from '../errors.ts';
import { executeRequest } from '../execution/execute.ts';
import { settle } from '../resolution/admission.ts';
import { resolveRequest } from '../resolution/resolve.ts';
import type { CarpRequest, CarpResolution } from '../resolution/schema.ts';
import type { Governance } from '../slice.ts';
import { DEFAULT_ATLAS_ID, type GatewayConfig } from './config.ts';
import {
  EXECUTOR_PREFIX,
  gatewayManifest,
  nextVersion,
  type ToolAction,
  toolActions,
} from './gateway-atlas.ts';
import { checkPins, type PinStore, pinName } from './pins.ts';
import type { Upstream, UpstreamResult } from './upstream.ts';

export interface GatewayDeps {
  readonly config: GatewayConfig;
  readonly governance: Governance;
  readonly principal: Principal;
  readonly pins: PinStore;
  readonly upstreams: readonly Upstream[];
}

export interface Gateway {
  readonly sessionId: string;
  /** Lists the servers' tools again: new ones are pinned and governed, changed ones quarantined. */
  refresh(): Promise<{ readonly quarantined: readonly string[] }>;
  /** An MCP server for one client; CARP decides what it lists and does. */
  createServer(): Server;
  close(): Promise<void>;
}

/** A gateway in front of MCP servers: it lists only allowed tools, runs every call through CARP, and traces it. */
export async function openGateway(gateway: GatewayDeps): Promise<Gateway> {
  const { config, principal, pins, upstreams } = gateway;
  const { deps } = gateway.governance;
  const atlasId = config.atlas_id ?? DEFAULT_ATLAS_ID;
  let actions: readonly ToolAction[] = [];

  for (const upstream of upstreams) {
    deps.executors.register(`${EXECUTOR_PREFIX}${upstream.name}`, async (call) => {
      const found = actions.find(({ actionId }) => actionId === call.actionId);
      if (!found)
        throw governanceErrors.action_denied({
          message: 'The tool is quarantined: it has changed since it was pinned.',
        });
      return upstream.call(found.tool.name, toPlain(call.parameters) as Record<string, unknown>, call.signal);
    });
  }

  async function refresh() {
    const tools = [];
    for (const upstream of upstreams) {
      for (const tool of await upstream.tools()) tools.push({ server: upstream.name, tool });
    }
    const check = checkPins(await pins.read(), tools, deps.hasher);
    if (check.added.length > 0) await pins.write(check.pins);
    const trusted = tools.filter(
      ({ server, tool }) => !check.quarantined.includes(pinName(server, tool.name)),
    );
    actions = toolActions(trusted, deps.hasher);
    await load(check.quarantined);
    return { quarantined: check.quarantined };
  }

  async function load(quarantined: readonly string[]): Promise<void> {
    await deps.db.write(async (uow) => {
      const loaded = (await selectActiveLoads(uow, principal.defaultProject)).find(
        (each) => each.atlasId === atlasId,
      );
      const same = loaded && gatewayManifest(config, actions, loaded.version);
      if (same && atlasOf(deps.hasher, { manifest: same }).digest === loaded.digest) return;
      const manifest = gatewayManifest(config, actions, nextVersion(loaded?.version));
      await loadAtlas(uow, deps, principal, {
        projectId: principal.defaultProject,
        manifest: fromPlain(manifest),
        mode: 'enforce',
      });
      for (const tool of quarantined) {
        await deps.record(uow, {
          projectId: principal.defaultProject,
          actor: principal.actor,
          type: 'gateway.tool_quarantined',
          payload: { tool, atlas_id: atlasId },
        });
      }
    });
  }

  // First, so that a gateway that may not speak for its agent has changed nothing when it is refused.
  await deps.db.read((reader) => bindAgent(reader, principal, { agentId: config.agent_id }));
  await refresh();
  const session = await deps.db.write(async (uow) =>
    deps.sessions.startSession(uow, {
      projectId: principal.defaultProject,
      actor: principal.actor,
      agent: await bindAgent(uow, principal, { agentId: config.agent_id }),
      goal: config.goal,
      atlasId,
    }),
  );

  function request(operation: CarpRequest['operation']): CarpRequest {
    return {
      carp_version: '1.0',
      request_id: deps.ids(),
      timestamp: formatMicros(deps.clock.now()),
      operation,
      requester: { agent_id: config.agent_id, session_id: session.sessionId },
      task: { goal: config.goal },
      atlas_ids: [atlasId],
    };
  }

  async function resolved(): Promise<CarpResolution> {
    return settle(await deps.db.write((uow) => resolveRequest(uow, deps, principal, request('resolve'))));
  }

  async function call(name: string, parameters: JsonObject) {
    const resolution = await resolved();
    const listed = [
      ...resolution.allowed_actions,
      ...resolution.denied_actions.map((each) => ({ ...each, name: '', description: '' })),
    ];
    const actionId = emitTools('mcp', listed, deps.hasher).names[name];
    if (actionId === undefined) return failure(`There is no tool ${name}.`);
    const execute: CarpRequest = {
      ...request('execute'),
      execution: {
        resolution_id: resolution.resolution_id,
        action_id: actionId,
        parameters: toPlain(parameters) as Record<string, unknown>,
      },
    };
    const { body } = await executeRequest(deps, principal, { request: execute, parameters });
    if (body.status === 'success') return success(body.result as UpstreamResult);
    const details = body.error?.details ?? {};
    return failure(`${body.error?.code}: ${body.error?.message} ${JSON.stringify(details)}`);
  }

  return {
    sessionId: session.sessionId,
    refresh,
    createServer() {
      const server = new Server({ name: 'baton-gateway', version: '1.0.0' }, { capabilities: { tools: {} } });
      server.setRequestHandler('tools/list', async () => {
        await refresh();
        const { allowed_actions: allowed } = await resolved();
        return { tools: emitTools('mcp', allowed, deps.hasher).tools as never[] };
      });
      server.setRequestHandler('tools/call', async ({ params }) => {
        try {
          await refresh();
          return await call(params.name, fromPlain(params.arguments ?? {}) as JsonObject);
        } catch (error) {
          if (!(error instanceof BatonError)) throw error;
          return failure(`${error.code.toUpperCase()}: ${error.message} ${error.next}`);
        }
      });
      return server;
    },
    async close() {
      await deps.db.write((uow) => deps.sessions.endSession(uow, session.sessionId, 'completed'));
      for (const upstream of upstreams) await upstream.close();
    },
  };
}

function success(result: UpstreamResult) {
  const { content, structuredContent } = result;
  return {
    content: content as never[],
    ...(structuredContent !== undefined && {
      structuredContent: structuredContent as Record<string, unknown>,
    }),
  };
}

function failure(text: string) {
  return { isError: true, content: [{ type: 'text' as const, text }] };
}
