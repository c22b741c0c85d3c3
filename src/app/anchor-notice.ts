import { type Anchored, checkAnchors } from '../faces/cli/anchors/check-anchors.ts';
import { movedText, withNotice } from '../faces/cli/anchors/moved-text.ts';
import { boundTo, type McpServices, type Told, tellAgent } from '../faces/mcp/services.ts';
import type { App } from './compose.ts';

const ORIENTATIONS = new Set(['context.brief', 'context.orient']);

/** An agent that starts us does so in its repository: its orientation says which of the files there have changed. */
export function anchorNotice(
  { mcp }: Pick<App, 'mcp'>,
  folder: string,
): NonNullable<McpServices['annotate']> {
  return async ({ operation, input, principal, text }: Told) => {
    if (!ORIENTATIONS.has(operation)) return text;
    const { project_id = input.project ?? principal.defaultProject, window_days } = input;
    const given = {
      principal,
      input: { project_id, window_days },
      signal: new AbortController().signal,
    };
    try {
      const listed = await tellAgent(mcp, boundTo(mcp, 'context.anchors'), given);
      const { anchors } = JSON.parse(listed) as { anchors: Anchored[] };
      return withNotice(text, movedText((await checkAnchors(folder, anchors)) ?? []));
    } catch (error) {
      // A file that cannot be read must not cost the agent its orientation.
      mcp.log(error, { requestId: mcp.newRequestId(), operation: 'context.anchors' });
      return text;
    }
  };
}
