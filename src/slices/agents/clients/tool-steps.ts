/** The one table from the clients' tools to actions. */
import { member } from '../../../kernel/json/loose.ts';
import type { ToolCall } from './event.ts';
import { inputOf, type Members, membersOf, textOf } from './members.ts';
import { filesOfEnvelope } from './patched-files.ts';
import type { Place } from './paths.ts';
import { placePath } from './paths.ts';
import { REMOVED } from './private-words.ts';
import { shellInput } from './shell/shell-input.ts';
import { argvSteps, lineSteps } from './shell/steps.ts';
import type { Step } from './steps.ts';

type Form = 'shell' | 'read' | 'write' | 'delete' | 'patch' | 'fetch' | 'search' | 'agent';

/** Names are the clients' own, in lower case without `_` and `-`: they mean the same everywhere. */
const TOOLS: Readonly<Record<string, Form>> = {
  bash: 'shell',
  powershell: 'shell',
  shell: 'shell',
  localshell: 'shell',
  execcommand: 'shell',
  runshellcommand: 'shell',
  runterminalcmd: 'shell',
  monitor: 'shell',
  edit: 'write',
  multiedit: 'write',
  write: 'write',
  notebookedit: 'write',
  writefile: 'write',
  replace: 'write',
  editfile: 'write',
  searchreplace: 'write',
  strreplace: 'write',
  delete: 'delete',
  deletefile: 'delete',
  applypatch: 'patch',
  patch: 'patch',
  read: 'read',
  readfile: 'read',
  readmanyfiles: 'read',
  listdirectory: 'read',
  list: 'read',
  listdir: 'read',
  ls: 'read',
  glob: 'read',
  grep: 'read',
  grepsearch: 'read',
  searchfilecontent: 'read',
  codebasesearch: 'read',
  filesearch: 'read',
  viewimage: 'read',
  webfetch: 'fetch',
  websearch: 'search',
  googlewebsearch: 'search',
  task: 'agent',
  agent: 'agent',
};

const PATHS = [
  'file_path',
  'filePath',
  'notebook_path',
  'absolute_path',
  'path',
  'dir_path',
  'target_file',
  'target_directory',
];
const MOST_PATHS = 500;
const MOST_URLS = 20;

/** Everything that a call does, as far as its arguments tell. Never empty: what is unknown is `tool.use`. */
export function toolSteps(call: ToolCall, place: Place): Step[] {
  const { tool, input } = call;
  const mcp = mcpCall(tool, input);
  if (mcp) return [{ action: 'mcp.call', parameters: { ...mcp, tool } }];
  const form = member(TOOLS, tool.toLowerCase().replaceAll(/[_-]/g, ''));
  const steps = form === undefined ? [] : stepsOf(form, call, place);
  return steps.length > 0 ? steps : [{ action: 'tool.use', parameters: { tool } }];
}

function stepsOf(form: Form, { tool, input }: ToolCall, place: Place): Step[] {
  switch (form) {
    case 'shell':
      return shellSteps(tool, input, place);
    case 'patch':
      return patchSteps(tool, textOf(input, 'command', 'input', 'patch', 'patchText') ?? '', place);
    case 'read':
    case 'write':
    case 'delete': {
      const named = pathsOf(input);
      // Without a path a search is in the folder where the client is.
      const paths = named.length === 0 && form === 'read' ? ['.'] : named;
      return boundedPaths(
        paths.map((path) => fileStep(`file.${form}`, path, tool, place)),
        tool,
      );
    }
    case 'fetch': {
      const given = textOf(input, 'url') ?? textOf(input, 'prompt') ?? '';
      const urls = given.match(/https?:\/\/[^\s"'<>)]+/gi) ?? [given];
      // Whatever is not looked at leads nobody knows where.
      const looked = urls.length > MOST_URLS ? [...urls.slice(0, MOST_URLS), '…'] : urls;
      return looked.map((url) => ({ action: 'web.fetch', parameters: { url, host: hostOf(url), tool } }));
    }
    case 'search':
      return [{ action: 'web.search', parameters: { query: textOf(input, 'query') ?? '', tool } }];
    case 'agent':
      return [
        {
          action: 'agent.start',
          parameters: { kind: textOf(input, 'subagent_type', 'agent', 'name') ?? '', tool },
        },
      ];
  }
}

function shellSteps(tool: string, input: Members, place: Place): Step[] {
  const { lines, argv, folder } = shellInput(input);
  const at = folder === undefined ? place : { ...place, cwd: absolute(folder, place) };
  if (argv) return argvSteps(argv, tool, at);
  const steps = lines.flatMap((line) => lineSteps(line, tool, at));
  // A language of which we read nothing.
  return tool.toLowerCase() === 'powershell' ? steps.map(opaqueStep) : steps;
}

function opaqueStep(step: Step): Step {
  return step.action === 'shell.run' ? { ...step, parameters: { ...step.parameters, opaque: true } } : step;
}

function absolute(folder: string, place: Place): string {
  const { path, inside } = placePath(folder, place);
  return inside ? `${place.root}/${path}` : path;
}

function patchSteps(tool: string, patch: string, place: Place): Step[] {
  const steps = filesOfEnvelope(patch)
    .slice(0, MOST_PATHS + 1)
    .map(({ path, deletes }) => fileStep(deletes ? 'file.delete' : 'file.write', path, tool, place));
  // What was removed may have named more files.
  if (patch.includes(REMOVED)) steps.push(fileStep('file.write', REMOVED, tool, place));
  return boundedPaths(steps, tool);
}

/** Whatever is not looked at could be what matters most. */
function boundedPaths(steps: readonly Step[], tool: string): Step[] {
  if (steps.length <= MOST_PATHS) return [...steps];
  const kept = steps.slice(0, MOST_PATHS);
  const actions = new Set(steps.map(({ action }) => action));
  for (const action of actions) {
    const zone = action === 'file.read' ? 'secrets' : 'rules';
    kept.push({ action, parameters: { path: '…', inside: false, zone, by: 'tool', tool } });
  }
  return kept;
}

type FileAction = 'file.read' | 'file.write' | 'file.delete';

function fileStep(action: FileAction, path: string, tool: string, place: Place): Step {
  return {
    action,
    parameters: { ...placePath(path, place, place.cwd, action === 'file.delete'), by: 'tool', tool },
  };
}

/** The paths that a file tool was given. */
function pathsOf(input: Members): string[] {
  const given = [...PATHS.map((name) => input[name]), input.paths, input.include, input.files].flat();
  const paths = given.filter((each) => typeof each === 'string' && each !== '') as string[];
  return paths.slice(0, MOST_PATHS + 1);
}

/** `mcp__server__tool` (Claude Code, Codex), `mcp_server_tool` (Gemini), `MCP:tool` (Cursor). */
function mcpCall(
  tool: string,
  input: Members,
): { server: string; name: string; arguments: Members } | undefined {
  const double = /^mcp__(.+?)__(.+)$/s.exec(tool);
  if (double) return { server: double[1] ?? '', name: double[2] ?? '', arguments: input };
  const single = /^mcp_([^_]+)_(.+)$/s.exec(tool);
  if (single) return { server: single[1] ?? '', name: single[2] ?? '', arguments: input };
  if (!tool.startsWith('MCP:')) return undefined;
  const server = textOf(input, 'server') ?? '';
  return {
    server,
    name: tool.slice('MCP:'.length),
    arguments: 'arguments' in input ? inputOf(input.arguments) : membersOf(input),
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
