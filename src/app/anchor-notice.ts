import { type Anchored, checkAnchors } from '../faces/cli/anchors/check-anchors.ts';
import { movedText, withNotice } from '../faces/cli/anchors/moved-text.ts';
import { type AgentResponse, boundTo, callForAgent, type McpDeps } from '../faces/mcp/call.ts';
import type { App } from './compose.ts';

const ORIENTATIONS = new Set(['context.brief', 'context.orient']);

/** Agents start us in their repository, so their orientation can list which of its files have changed. */
export function anchorNotice({ mcp }: Pick<App, 'mcp'>, folder: string): NonNullable<McpDeps['annotate']> {
  return async ({ operation, input, principal, text }: AgentResponse) => {
    if (!ORIENTATIONS.has(operation)) return text;
    const { project_id = input.project ?? principal.defaultProject, window_days } = input;
    const given = {
      principal,
      input: { project_id, window_days },
      signal: new AbortController().signal,
      asResource: true,
    } as const;
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
