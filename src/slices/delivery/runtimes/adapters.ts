import type { RuntimeType } from '../config/config.ts';
import { exists } from '../repository/files.ts';
import { type AskPeer, a2aAdapter } from './a2a.ts';
import type { RuntimeAdapter } from './adapter.ts';
import { apiProxyAdapter } from './api-proxy.ts';
import { localCliAdapter } from './local-cli.ts';
import { mcpAdapter } from './mcp.ts';
import { remoteAgentAdapter } from './remote-agent.ts';

export type RuntimeAdapters = Readonly<Record<RuntimeType, RuntimeAdapter>>;

export function runtimeAdapters(ports: { readonly askPeer?: AskPeer } = {}): RuntimeAdapters {
  return {
    manual: manualAdapter,
    local_cli: localCliAdapter,
    mcp: mcpAdapter,
    remote_agent: remoteAgentAdapter,
    api_proxy: apiProxyAdapter,
    a2a: a2aAdapter(ports.askPeer),
  };
}

/** A person, or a program they run, writes the result when it is done. */
const manualAdapter: RuntimeAdapter = async (call) => {
  if (await exists(call.stagingFile)) return { kind: 'staged' };
  return {
    kind: 'waiting',
    message: `Read ${call.bundleDir}/PROMPT.md, do the work, and write the result to ${call.stagingFile}.`,
  };
};
