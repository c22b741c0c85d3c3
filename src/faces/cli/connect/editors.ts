import { join } from 'node:path';
import { jsonEntries } from './json-entry.ts';
import type { EntryFormat, Places, ServerEntry } from './server-entry.ts';
import { tomlEntries } from './toml-entry.ts';

/** What is known of an editor: where it reads its MCP servers, how they are written, and how it notices a new one. */
export interface Editor {
  readonly name: string;
  readonly title: string;
  readonly format: EntryFormat;
  /** What holds the entries in its file. */
  readonly section: string;
  /** The file of one project, where the editor has such a file. */
  readonly projectFile?: string;
  userFile(places: Places): string;
  members(entry: ServerEntry): Readonly<Record<string, unknown>>;
  /** The instructions file that the agent reads in a project. */
  readonly instructionsFile: string;
  /** How the user makes it notice. */
  readonly start: string;
}

const plain = ({ command, args }: ServerEntry) => ({ command, args });
const typed = ({ command, args }: ServerEntry) => ({ type: 'stdio', command, args });

export const editors: readonly Editor[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    format: jsonEntries,
    section: 'mcpServers',
    projectFile: '.mcp.json',
    userFile: ({ home }) => join(home, '.claude.json'),
    members: typed,
    instructionsFile: 'CLAUDE.md',
    start: 'Start `claude` in this folder and allow the server `baton`; `/mcp` shows it.',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    format: jsonEntries,
    section: 'mcpServers',
    projectFile: '.cursor/mcp.json',
    userFile: ({ home }) => join(home, '.cursor', 'mcp.json'),
    members: plain,
    instructionsFile: 'AGENTS.md',
    start: 'Open this folder in Cursor and switch `baton` on under Customize, MCPs.',
  },
  {
    name: 'codex',
    title: 'Codex',
    format: tomlEntries,
    section: 'mcp_servers',
    // Codex reads project files only once the project is trusted, so the user's own file is the safe choice.
    userFile: ({ home }) => join(home, '.codex', 'config.toml'),
    members: plain,
    instructionsFile: 'AGENTS.md',
    start: 'Start `codex`; `/mcp` shows the server `baton`.',
  },
  {
    name: 'vscode',
    title: 'VS Code (Copilot)',
    format: jsonEntries,
    section: 'servers',
    projectFile: '.vscode/mcp.json',
    userFile: (places) => join(applicationFolder(places, 'Code'), 'User', 'mcp.json'),
    members: typed,
    instructionsFile: 'AGENTS.md',
    start:
      'Open this folder in VS Code, press Start above `baton` in mcp.json, and use Copilot in agent mode.',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    format: jsonEntries,
    section: 'mcpServers',
    projectFile: '.gemini/settings.json',
    userFile: ({ home }) => join(home, '.gemini', 'settings.json'),
    members: plain,
    instructionsFile: 'GEMINI.md',
    start: 'Start `gemini` in this folder; `/mcp` shows the server `baton`.',
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    format: jsonEntries,
    section: 'mcpServers',
    userFile: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    members: plain,
    instructionsFile: 'AGENTS.md',
    start: 'Open Windsurf and press Refresh in the MCP settings of Cascade.',
  },
  {
    name: 'zed',
    title: 'Zed',
    format: jsonEntries,
    section: 'context_servers',
    projectFile: '.zed/settings.json',
    userFile: (places) =>
      join(
        places.platform === 'win32'
          ? applicationFolder(places, 'Zed')
          : join(places.config ?? join(places.home, '.config'), 'zed'),
        'settings.json',
      ),
    members: plain,
    instructionsFile: 'AGENTS.md',
    start: 'Open this folder in Zed; the agent panel shows the server `baton` with a green dot.',
  },
];

/** Any MCP client that Baton has no file for: its block is printed, for the user to put where it belongs. */
export function otherClient(name: string): Editor {
  return {
    name,
    title: name,
    format: jsonEntries,
    section: 'mcpServers',
    userFile: ({ project }) => join(project, 'mcp.json'),
    members: plain,
    instructionsFile: 'AGENTS.md',
    start: `Put this block where ${name} reads its MCP servers, and restart it.`,
  };
}

function applicationFolder({ home, platform, config }: Places, application: string): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', application);
  if (platform === 'win32') return join(config ?? join(home, 'AppData', 'Roaming'), application);
  return join(config ?? join(home, '.config'), application);
}
