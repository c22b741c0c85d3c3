import { type Anchored, checkAnchors } from '../faces/cli/anchors/check-anchors.ts';
import { movedText, withNotice } from '../faces/cli/anchors/moved-text.ts';
import { type AgentResponse, boundTo, callForAgent, type McpDeps } from '../faces/mcp/call.ts';
import { serveMcpOverStdio } from '../faces/mcp/stdio.ts';
import { type App, openApp } from './compose.ts';
import { createLog } from './log.ts';
import { readOwnerToken } from './owner-token.ts';
import type { Settings } from './settings.ts';

/** MCP over standard input and output, for an agent that starts us: on the same store as the server, in peace. */
export async function serveMcp(settings: Settings): Promise<void> {
  const app = await openApp(settings, { log: createLog(settings.logLevel) });
  const token = settings.token ?? readOwnerToken(settings.dataDir) ?? '';
  const now = () => app.identity.authenticate({ authorization: `Bearer ${token}` });
  const handle = serveMcpOverStdio(
    { ...app.mcp, annotate: anchorNotice(app, process.cwd()) },
    { principal: await now(), now },
  );
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.once('SIGTERM', resolve);
  });
  await handle.close();
  await app.drain();
  await app.close();
}

const ORIENTATIONS = new Set(['context.brief', 'context.orient']);

/** Agents start us in their repository, so their orientation can list which of its files have changed. */
function anchorNotice({ mcp }: Pick<App, 'mcp'>, folder: string): NonNullable<McpDeps['annotate']> {
  return async ({ operation, input, principal, text }: AgentResponse) => {
    if (!ORIENTATIONS.has(operation)) return text;
    const { project_id = input.project ?? principal.defaultProject, window_days } = input;
    const given = {
      principal,
      input: { project_id, window_days },
      signal: new AbortController().signal,
    };
    try {
      const listed = await callForAgent(mcp, boundTo(mcp, 'context.anchors'), given);
      const { anchors } = JSON.parse(listed) as { anchors: Anchored[] };
      return withNotice(text, movedText((await checkAnchors(folder, anchors)) ?? []));
    } catch (error) {
      // A file that cannot be read must not cost the agent its orientation.
      mcp.log(error, { requestId: mcp.newRequestId(), operation: 'context.anchors' });
      return text;
    }
  };
}
