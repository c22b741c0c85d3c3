/**
 * The actions that a coding agent's tools become: one vocabulary for all clients, so that one Atlas governs them all.
 * A tool call becomes one step or several, and every step is judged by itself: `git add . && git push > log` is two
 * commands and one file written. An Atlas declares the actions it has rules for; a step whose action no loaded Atlas
 * declares is not governed.
 */

/** Where a path is, worked out from its real location: symbolic links are followed where the hook can see them. */
const ZONES = [
  /** Inside the repository, and none of the following. */
  'repository',
  /** The repository's `.baton/`: the project's binding and its rules. */
  'rules',
  /** Settings of coding agents, inside or outside the repository: hooks, permissions and MCP servers are there. */
  'settings',
  /** The repository's `.git/` and its hooks. */
  'git',
  /** Baton's data folder: keys, the store, connections. */
  'data',
  /** `.env` files, private keys, `~/.ssh`, `~/.aws` and the like. */
  'secrets',
  /** The system's folder for temporary files. */
  'temporary',
  /** Anywhere else. */
  'outside',
] as const;
export type Zone = (typeof ZONES)[number];

export const AGENT_ACTION_IDS = [
  'shell.run',
  'file.read',
  'file.write',
  'file.delete',
  'web.fetch',
  'web.search',
  'mcp.call',
  'agent.start',
  'tool.use',
] as const;
export type AgentActionId = (typeof AGENT_ACTION_IDS)[number];

/** As an Atlas writes it. */
export interface AgentAction {
  readonly action_id: AgentActionId;
  readonly name: string;
  readonly description: string;
  readonly risk_tier: 'low' | 'medium';
  readonly parameters_schema: Readonly<Record<string, unknown>>;
}

const text = (description: string) => ({ type: 'string', description });
const flag = (description: string) => ({ type: 'boolean', description });
const words = (description: string) => ({ type: 'array', items: { type: 'string' }, description });

function object(properties: Readonly<Record<string, unknown>>) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

const tool = text('The client’s own name of the tool.');
const file = object({
  path: text('Relative to the repository with forward slashes if it is inside, else absolute.'),
  inside: flag('Whether it is inside the repository.'),
  zone: { type: 'string', enum: ZONES, description: 'Where it is.' },
  by: {
    type: 'string',
    enum: ['tool', 'shell'],
    description: '`shell`: a command names it. What a program touches without being told is not known.',
  },
  tool,
});

export const AGENT_ACTIONS: readonly AgentAction[] = [
  {
    action_id: 'shell.run',
    name: 'Run a command',
    description:
      'One command of a command line. A line with several is several steps; commands inside `bash -c`, `sudo`, `env`, `xargs` and the like are steps of their own, beside the outer one.',
    risk_tier: 'medium',
    parameters_schema: object({
      line: text('The whole line as the client would run it. An approval binds it.'),
      command: text('This command, its words separated by single spaces.'),
      program: text('The name of the program without its folder and `.exe`; empty if it is not known.'),
      subcommand: text(
        'The first word after the program’s own options, such as `push`; empty if there is none.',
      ),
      flags: words(
        'Options as written, values after `=` cut off, short ones one by one: `-rf` is `-r` and `-f`.',
      ),
      argv: words('All words, the program first.'),
      opaque: flag(
        'True if it cannot be known which command runs: the program or the subcommand is computed, or the line uses a construct that is not understood. `command` is then the text that was not understood.',
      ),
      expands: flag('True if the shell computes some of the later words: variables, globs, substitutions.'),
      tool,
    }),
  },
  {
    action_id: 'file.read',
    name: 'Read a file or folder',
    description: 'A tool reads, lists or searches a path, or a command names it.',
    risk_tier: 'low',
    parameters_schema: file,
  },
  {
    action_id: 'file.write',
    name: 'Write a file',
    description: 'A tool creates or changes a file, or a command redirects into it or is known to write it.',
    risk_tier: 'low',
    parameters_schema: file,
  },
  {
    action_id: 'file.delete',
    name: 'Delete a file or folder',
    description: 'A tool deletes or moves it away, or a command such as `rm` does.',
    risk_tier: 'medium',
    parameters_schema: file,
  },
  {
    action_id: 'web.fetch',
    name: 'Fetch an address',
    description: 'The client’s own tool fetches a page.',
    risk_tier: 'low',
    parameters_schema: object({ url: text('As given.'), host: text('Lower-case; empty if unknown.'), tool }),
  },
  {
    action_id: 'web.search',
    name: 'Search the web',
    description: 'The client’s own tool searches.',
    risk_tier: 'low',
    parameters_schema: object({ query: text('As given.'), tool }),
  },
  {
    action_id: 'mcp.call',
    name: 'Call an MCP tool',
    description: 'A tool of an MCP server that the client is connected to.',
    risk_tier: 'medium',
    parameters_schema: object({
      server: text('The client’s name for the server.'),
      name: text('The name of the tool at the server.'),
      arguments: { type: 'object', description: 'As given.' },
      tool,
    }),
  },
  {
    action_id: 'agent.start',
    name: 'Start a subagent',
    description: 'The agent starts another one.',
    risk_tier: 'low',
    parameters_schema: object({ kind: text('The kind of subagent; empty if unknown.'), tool }),
  },
  {
    action_id: 'tool.use',
    name: 'Use another tool',
    description: 'Any tool of the client that is none of the above.',
    risk_tier: 'low',
    parameters_schema: object({ tool }),
  },
];
