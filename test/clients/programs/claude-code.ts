import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackages } from '../install.ts';
import { anthropic } from '../model/anthropic.ts';
import type { ClientProgram } from './program.ts';

const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PreCompact',
  'PostCompact',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'SessionEnd',
];

const programOf = (folder: string) =>
  join(folder, '@anthropic-ai', `claude-code-${process.platform}-${process.arch}`, 'claude');

export const claudeCode: ClientProgram = {
  name: 'claude-code',
  wire: anthropic,
  fullContext: 990_000,
  install: () => installPackages('@anthropic-ai/claude-code'),
  hook: (machine, repository, { program, args, timeoutSeconds }) =>
    machine.write(
      join(repository, '.claude', 'settings.local.json'),
      JSON.stringify({
        hooks: Object.fromEntries(
          EVENTS.map((event) => [
            event,
            [{ hooks: [{ type: 'command', command: program, args, timeout: timeoutSeconds }] }],
          ]),
        ),
      }),
    ),
  async putOn(folder, machine) {
    await mkdir(join(machine.home, '.claude'), { recursive: true });
    await machine.program('claude', programOf(folder), []);
  },
  launch: (folder, _machine, { prompt, modelUrl, resume = false }) => ({
    command: programOf(folder),
    args: [
      '-p',
      prompt,
      '--output-format',
      'json',
      '--allowedTools',
      'Bash,Write,Read,Edit,Agent',
      ...(resume ? ['--continue'] : []),
    ],
    env: {
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: 'sk-ant-scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  }),
};
