/**
 * What each client is told to start and when: `baton hook CLIENT`. Matchers are narrow, because every match costs the
 * client a process. What is only recorded does not keep the client waiting, where it has such a form.
 */
import { hookWords, type Launch, shellLine } from './launch.ts';
import { SERVER_NAME } from './server-entry.ts';

/** One item of a list in a client's settings. */
export interface HookItem {
  readonly path: readonly string[];
  readonly item: Readonly<Record<string, unknown>>;
}

export interface HookEntries {
  readonly items: readonly HookItem[];
  /** Members that the file needs beside them, set where they are missing. */
  readonly members?: readonly { readonly path: readonly string[]; readonly value: unknown }[];
}

/** Seconds. A question to a person is held for `BATON_HOOK_WAIT`; the client must wait longer than that. */
const ASKED = 60;
const PROMPT = 15;
const RECORDED = 30;
const MARGIN = 15;

export interface HookOptions {
  /** For files that a team shares: where Baton is not installed, nothing happens. */
  readonly optional?: boolean;
  /** The client runs `baton mcp` on the store of this machine, and may hand it what is only recorded. */
  readonly overMcp?: boolean;
  /** Seconds for which a question to a person is held. */
  readonly wait?: number;
  /** A hook that cannot run stops the call, in clients that can be told so. */
  readonly strict?: boolean;
}

type Entries = (launch: Launch, options: HookOptions) => HookEntries;

const clients: Readonly<Record<string, Entries>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  cursor,
};

/** The entries of a client; undefined for one that has no hooks of this form. */
export function hookEntries(
  client: string,
  launch: Launch,
  options: HookOptions = {},
): HookEntries | undefined {
  return clients[client]?.(launch, options);
}

/** Whether an item of a list is one that Baton wrote for the client, with whatever version and path. */
export function isHookItem(client: string, item: unknown): boolean {
  const words = stringsIn(item).join(' ');
  return /\bbaton/.test(words) && new RegExp(`(?:^|\\s)hook ${client}(?:\\s|$)`).test(words);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

const asked = ({ wait = 45 }: HookOptions) => Math.max(ASKED, Math.ceil(wait) + MARGIN);

function claudeCode(launch: Launch, options: HookOptions): HookEntries {
  const [command, ...args] = hookWords(launch, 'claude-code');
  // Without a shell, unless the program may be missing.
  const program = options.optional
    ? { type: 'command', command: whereInstalled(launch, 'claude-code') }
    : { type: 'command', command, args };
  const hook = (timeout: number, more = {}) => ({ hooks: [{ ...program, timeout, ...more }] });
  const recorded = (event: string, outcome: string) =>
    options.overMcp
      ? { hooks: [handedOver('claude-code', event, outcome)] }
      : hook(RECORDED, { async: true });
  // Monitor runs a command line too, and so does PowerShell where there is one.
  const effective = 'Bash|PowerShell|Monitor|Edit|Write|MultiEdit|NotebookEdit|WebFetch|Task|Agent';
  const judged = `${effective}|Read|Glob|Grep|WebSearch`;
  const others = 'mcp__(?!baton__).*';
  return inEvents({
    SessionStart: hook(RECORDED),
    UserPromptSubmit: hook(PROMPT),
    PreToolUse: {
      matcher: `${judged}|${others}`,
      ...hook(asked(options), options.strict ? { onFailure: 'block' } : {}),
    },
    PostToolUse: { matcher: `${effective}|${others}`, ...recorded('PostToolUse', 'tool_response') },
    PostToolUseFailure: { matcher: `${effective}|${others}`, ...recorded('PostToolUseFailure', 'error') },
    SubagentStart: hook(PROMPT),
    SubagentStop: hook(RECORDED),
    PreCompact: hook(RECORDED),
    Stop: hook(RECORDED),
    SessionEnd: hook(RECORDED),
  });
}

const REPORTED = ['session_id', 'agent_id', 'agent_type', 'cwd', 'tool_name', 'tool_use_id', 'tool_input'];

/** An event handed to a tool of `baton mcp`, which runs beside the client anyway: it costs no process. */
function handedOver(client: string, event: string, outcome: string) {
  const members = [...REPORTED, outcome].map((name) => [name, `\${${name}}`]);
  return {
    type: 'mcp_tool',
    server: SERVER_NAME,
    tool: 'hook',
    input: { client, hook_event_name: event, ...Object.fromEntries(members) },
    timeout: RECORDED,
  };
}

function codex(launch: Launch, options: HookOptions): HookEntries {
  const command = commandLine(launch, 'codex', options);
  const hook = (timeout: number, more = {}) => ({ hooks: [{ type: 'command', command, timeout, ...more }] });
  const tools = 'Bash|apply_patch|mcp__.*';
  return inEvents({
    // Codex would put longer context into a file and show the model a glimpse of it; ours has its own limit.
    SessionStart: hook(RECORDED, { additionalContextLimit: 0 }),
    UserPromptSubmit: hook(PROMPT, { additionalContextLimit: 0 }),
    PreToolUse: { matcher: tools, ...hook(asked(options)) },
    PostToolUse: { matcher: tools, ...hook(RECORDED, { async: true }) },
    SubagentStart: hook(PROMPT),
    SubagentStop: hook(RECORDED),
    PreCompact: hook(RECORDED),
    Stop: hook(RECORDED),
    SessionEnd: hook(RECORDED),
  });
}

function gemini(launch: Launch, options: HookOptions): HookEntries {
  const command = commandLine(launch, 'gemini', options);
  // Gemini counts milliseconds, and lets its user switch a hook off by its name.
  const hook = (name: string, seconds: number) => ({
    hooks: [{ name: `baton-${name}`, type: 'command', command, timeout: seconds * 1000 }],
  });
  const effective = 'run_shell_command|write_file|replace|web_fetch|mcp_(?!baton_).*';
  // PreCompress is left out: Gemini calls it before every request, whether it compresses or not.
  const judged = `${effective}|read_file|read_many_files|list_directory|glob|grep_search|search_file_content|google_web_search`;
  return inEvents({
    SessionStart: hook('start', RECORDED),
    BeforeAgent: hook('prompt', PROMPT),
    BeforeTool: { matcher: judged, ...hook('guard', asked(options)) },
    AfterTool: { matcher: effective, ...hook('record', RECORDED) },
    AfterAgent: hook('stop', RECORDED),
    SessionEnd: hook('end', RECORDED),
  });
}

function cursor(launch: Launch, options: HookOptions): HookEntries {
  const command = commandLine(launch, 'cursor', options);
  const hook = (timeout: number) => ({ command, timeout });
  const entries = inEvents({
    sessionStart: hook(RECORDED),
    beforeSubmitPrompt: hook(PROMPT),
    preToolUse: { ...hook(asked(options)), ...(options.strict && { failClosed: true }) },
    postToolUse: hook(RECORDED),
    postToolUseFailure: hook(RECORDED),
    preCompact: hook(RECORDED),
    stop: hook(RECORDED),
    sessionEnd: hook(RECORDED),
  });
  return { ...entries, members: [{ path: ['version'], value: 1 }] };
}

function inEvents(events: Readonly<Record<string, Readonly<Record<string, unknown>>>>): HookEntries {
  return { items: Object.entries(events).map(([event, item]) => ({ path: ['hooks', event], item })) };
}

function commandLine(launch: Launch, client: string, { optional }: HookOptions): string {
  return optional ? whereInstalled(launch, client) : shellLine(hookWords(launch, client), launch.platform);
}

function whereInstalled(launch: Launch, client: string): string {
  return `command -v baton >/dev/null 2>&1 || exit 0; exec ${shellLine(hookWords(launch, client), 'linux')}`;
}
