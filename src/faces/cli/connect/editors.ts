import { join } from 'node:path';
import { jsonEntries } from './json-entry.ts';
import type { Places } from './places.ts';
import type { EntryFormat, ServerEntry } from './server-entry.ts';
import { tomlEntries } from './toml-entry.ts';

/** Where a client reads its hooks. */
export interface HookPlaces {
  /** The file of a repository that is its user's alone, by the client's own rules or by git's exclude list. */
  readonly local?: string;
  /** The file of a repository that a team shares. */
  readonly team?: string;
  userFile(places: Places): string;
}

/** What is known of a client: where it reads its MCP servers and hooks, how they are written, and how it notices them. */
export interface Editor {
  readonly name: string;
  readonly title: string;
  readonly format: EntryFormat;
  /** What holds the entries in its file. */
  readonly section: string;
  /** The file of one project, where the editor has such a file; the first is made if none is there. */
  readonly projectFiles?: readonly string[];
  /** It reads a repository's files only once it trusts the folder: what is one person's goes into their own file. */
  readonly distrusts?: true;
  userFile(places: Places): string;
  members(entry: ServerEntry): Readonly<Record<string, unknown>>;
  /** The entry of a server that is reached by its address, and that the client signs in to by itself. */
  remote(url: string): Readonly<Record<string, unknown>>;
  readonly hooks?: HookPlaces;
  /** The instructions file that the agent reads in a project. */
  readonly instructionsFile: string;
  /** Names under which its program is started, and folders that it makes: either shows that it is installed. */
  readonly programs: readonly string[];
  folders(places: Places): readonly string[];
  /** How the user makes it notice. */
  readonly start: string;
}

const plain = ({ command, args }: ServerEntry) => ({ command, args });
const typed = ({ command, args }: ServerEntry) => ({ type: 'stdio', command, args });
const typedUrl = (url: string) => ({ type: 'http', url });
const plainUrl = (url: string) => ({ url });

const claudeFolder = ({ claudeFolder, home }: Places) => claudeFolder ?? join(home, '.claude');
const codexFolder = ({ codexFolder, home }: Places) => codexFolder ?? join(home, '.codex');
const geminiFolder = ({ geminiFolder, home }: Places) => join(geminiFolder ?? home, '.gemini');
const opencodeFolder = ({ opencodeFolder, config, home }: Places) =>
  opencodeFolder ?? join(config ?? join(home, '.config'), 'opencode');

export const editors: readonly Editor[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    format: jsonEntries,
    section: 'mcpServers',
    projectFiles: ['.mcp.json'],
    userFile: (places) => join(places.claudeFolder ?? places.home, '.claude.json'),
    members: typed,
    remote: typedUrl,
    hooks: {
      local: '.claude/settings.local.json',
      team: '.claude/settings.json',
      userFile: (places) => join(claudeFolder(places), 'settings.json'),
    },
    instructionsFile: 'CLAUDE.md',
    programs: ['claude'],
    folders: (places) => [claudeFolder(places)],
    start: 'Start `claude` in this folder; `/mcp` shows the server `baton` and `/hooks` its hooks.',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    format: jsonEntries,
    section: 'mcpServers',
    projectFiles: ['.cursor/mcp.json'],
    userFile: ({ home }) => join(home, '.cursor', 'mcp.json'),
    members: plain,
    remote: plainUrl,
    hooks: {
      local: '.cursor/hooks.json',
      team: '.cursor/hooks.json',
      userFile: ({ home }) => join(home, '.cursor', 'hooks.json'),
    },
    instructionsFile: 'AGENTS.md',
    programs: ['cursor', 'cursor-agent'],
    folders: ({ home }) => [join(home, '.cursor')],
    start: 'Open this folder in Cursor and switch `baton` on under Customize, MCPs.',
  },
  {
    name: 'codex',
    title: 'Codex',
    format: tomlEntries,
    section: 'mcp_servers',
    // Codex reads project files only once the project is trusted, so the user's own files are the safe choice.
    userFile: (places) => join(codexFolder(places), 'config.toml'),
    members: plain,
    remote: plainUrl,
    hooks: { userFile: (places) => join(codexFolder(places), 'hooks.json') },
    instructionsFile: 'AGENTS.md',
    programs: ['codex'],
    folders: (places) => [codexFolder(places)],
    start: 'Start `codex` in this folder; `/mcp` shows the server `baton` and `/hooks` its hooks.',
  },
  {
    name: 'vscode',
    title: 'VS Code (Copilot)',
    format: jsonEntries,
    section: 'servers',
    projectFiles: ['.vscode/mcp.json'],
    userFile: (places) => join(applicationFolder(places, 'Code'), 'User', 'mcp.json'),
    members: typed,
    remote: typedUrl,
    instructionsFile: 'AGENTS.md',
    programs: ['code'],
    folders: (places) => [applicationFolder(places, 'Code')],
    start:
      'Open this folder in VS Code, press Start above `baton` in mcp.json, and use Copilot in agent mode.',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    format: jsonEntries,
    section: 'mcpServers',
    projectFiles: ['.gemini/settings.json'],
    distrusts: true,
    userFile: (places) => join(geminiFolder(places), 'settings.json'),
    members: plain,
    remote: (url) => ({ httpUrl: url }),
    hooks: {
      team: '.gemini/settings.json',
      userFile: (places) => join(geminiFolder(places), 'settings.json'),
    },
    instructionsFile: 'GEMINI.md',
    programs: ['gemini'],
    folders: (places) => [geminiFolder(places)],
    start: 'Start `gemini` in this folder and trust it; `/mcp` shows the server `baton`, `/hooks` its hooks.',
  },
  {
    name: 'opencode',
    title: 'opencode',
    format: jsonEntries,
    section: 'mcp',
    projectFiles: ['opencode.json', 'opencode.jsonc'],
    userFile: (places) => join(opencodeFolder(places), 'opencode.json'),
    members: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    remote: (url) => ({ type: 'remote', url, enabled: true }),
    // opencode installs packages into every `.opencode` that it finds, so a repository gets one only on request.
    hooks: {
      team: '.opencode/plugin/baton.js',
      userFile: (places) => join(opencodeFolder(places), 'plugin', 'baton.js'),
    },
    instructionsFile: 'AGENTS.md',
    programs: ['opencode'],
    folders: (places) => [opencodeFolder(places)],
    start: 'Start `opencode` in this folder; `opencode mcp list` shows the server `baton`.',
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    format: jsonEntries,
    section: 'mcpServers',
    userFile: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    members: plain,
    remote: (url) => ({ serverUrl: url }),
    instructionsFile: 'AGENTS.md',
    programs: ['windsurf'],
    folders: ({ home }) => [join(home, '.codeium', 'windsurf')],
    start: 'Open Windsurf and press Refresh in the MCP settings of Cascade.',
  },
  {
    name: 'zed',
    title: 'Zed',
    format: jsonEntries,
    section: 'context_servers',
    projectFiles: ['.zed/settings.json'],
    userFile: (places) => join(zedFolder(places), 'settings.json'),
    members: plain,
    remote: plainUrl,
    instructionsFile: 'AGENTS.md',
    programs: ['zed'],
    folders: (places) => [zedFolder(places)],
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
    remote: typedUrl,
    instructionsFile: 'AGENTS.md',
    programs: [],
    folders: () => [],
    start: `Put this block where ${name} reads its MCP servers, and restart it.`,
  };
}

export function editorNamed(name: string): Editor {
  return editors.find((known) => known.name === name) ?? otherClient(name);
}

function zedFolder(places: Places): string {
  if (places.platform === 'win32') return applicationFolder(places, 'Zed');
  return join(places.config ?? join(places.home, '.config'), 'zed');
}

function applicationFolder({ home, platform, config }: Places, application: string): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', application);
  if (platform === 'win32') return join(config ?? join(home, 'AppData', 'Roaming'), application);
  return join(config ?? join(home, '.config'), application);
}
