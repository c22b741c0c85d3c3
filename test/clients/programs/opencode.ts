import { existsSync } from 'node:fs';
import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackages } from '../install.ts';
import { chatCompletions } from '../model/chat-completions.ts';
import type { ClientProgram } from './program.ts';

const PLUGIN = '@opencode-ai/plugin';

/** Settings of one run, so that sessions at the same time have models of their own. */
const settings = (modelUrl: string) => ({
  autoupdate: false,
  share: 'disabled',
  model: 'scripted/scripted',
  small_model: 'scripted/scripted',
  permission: 'allow',
  provider: {
    scripted: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Scripted',
      options: { baseURL: `${modelUrl}/v1`, apiKey: 'scripted' },
      models: {
        scripted: { name: 'Scripted', tool_call: true, limit: { context: 100_000, output: 8_000 } },
      },
    },
  },
});

const programOf = (folder: string) =>
  join(folder, `opencode-${process.platform}-${process.arch}`, 'bin', 'opencode');

export const opencode: ClientProgram = {
  name: 'opencode',
  wire: chatCompletions,
  fullContext: 95_000,
  install: () => installPackages('opencode-ai'),
  hook: (machine, _repository, { program, args }) =>
    machine.write(join(machine.home, '.config', 'opencode', 'plugin', 'own.js'), ownPlugin(program, args)),
  async putOn(folder, machine) {
    const own = join(machine.home, '.config', 'opencode');
    await mkdir(own, { recursive: true });
    await seed(own);
    await machine.program('opencode', programOf(folder), []);
  },
  launch: (folder, _machine, { prompt, modelUrl, resume = false }) => ({
    command: programOf(folder),
    args: ['run', '--format', 'json', ...(resume ? ['--continue'] : []), prompt],
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(settings(modelUrl)),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    },
  }),
};

/** opencode installs this package into its folder by itself, and waits for it: here it lies there already. */
async function seed(folder: string): Promise<void> {
  const installed = await installPackages(PLUGIN);
  if ('missing' in installed || existsSync(join(folder, 'node_modules'))) return;
  await symlink(installed.folder, join(folder, 'node_modules'), 'junction');
  for (const file of ['package.json', 'package-lock.json'])
    await copyFile(join(installed.folder, '..', file), join(folder, file));
}

/** The client has no hooks that are programs, so this plugin asks one as the other clients would. */
const ownPlugin = (program: string, args: readonly string[]) => `
import { spawnSync } from 'node:child_process';
const ask = (message) => {
  const ran = spawnSync(${JSON.stringify(program)}, ${JSON.stringify(args)}, { input: JSON.stringify(message) });
  const answer = JSON.parse(ran.stdout.toString() || '{}').hookSpecificOutput ?? {};
  if (answer.permissionDecision === 'deny') throw new Error(answer.permissionDecisionReason);
  return answer.additionalContext;
};
export const Own = async ({ directory: cwd }) => ({
  event: async ({ event: { type, properties } }) => {
    if (/^session.(created|idle|compacted)$/.test(type))
      ask({ hook_event_name: type, session_id: properties.sessionID, parent: properties.info?.parentID, cwd });
  },
  'chat.message': async ({ sessionID }, { parts }) => {
    ask({ hook_event_name: 'chat.message', session_id: sessionID, prompt: parts[0].text, cwd });
  },
  'tool.execute.before': async ({ tool, sessionID }, { args }) => {
    ask({ hook_event_name: 'PreToolUse', session_id: sessionID, tool_name: tool, tool_input: args, cwd });
  },
  'tool.execute.after': async ({ tool, sessionID, args }, { metadata }) => {
    ask({ hook_event_name: 'PostToolUse', session_id: sessionID, tool_name: tool, tool_input: args, tool_response: metadata, cwd });
  },
  'permission.ask': async () => { ask({ hook_event_name: 'permission.ask' }); },
  'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
    system.push(ask({ hook_event_name: 'SessionStart', session_id: sessionID, source: 'request', cwd }));
  },
});
`;
