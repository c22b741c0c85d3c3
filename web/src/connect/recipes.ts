export const clientNames = [
  ['claude-code', 'Claude Code'],
  ['codex', 'Codex'],
  ['gemini', 'Gemini'],
  ['cursor', 'Cursor'],
  ['opencode', 'OpenCode'],
  ['other', 'Something else'],
] as const;

export type ClientName = (typeof clientNames)[number][0];

export interface Access {
  readonly url: string;
  readonly token: string;
  readonly project: string;
}

/** What is typed in the repository: the tools, the hooks and the key in one go. The key itself is asked for. */
export function commandFor(client: ClientName, { url, project }: Access): string | undefined {
  return client === 'other'
    ? undefined
    : `npx baton-ledger connect ${client} --url ${url} --project ${project}`;
}

/** For a client that takes an MCP server's entry. */
export function mcpEntryText({ url, token }: Access): string {
  const entry = { type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer ${token}` } };
  return JSON.stringify({ mcpServers: { baton: entry } }, null, 2);
}

/** For whatever can send a request: one that changes nothing and is heard. */
export function curlText({ url, token, project }: Access): string {
  return `curl -X POST ${url}/v1/projects/${encodeURIComponent(project)}/sessions -H "Authorization: Bearer ${token}" -H "Content-Type: application/json" -d {}`;
}
