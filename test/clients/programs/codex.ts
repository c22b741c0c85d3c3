import { readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackages } from '../install.ts';
import { responses } from '../model/responses.ts';
import type { ClientProgram } from './program.ts';

const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PreCompact',
  'PostCompact',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'SessionEnd',
];

function programOf(folder: string): string {
  const vendor = join(folder, '@openai', `codex-${process.platform}-${process.arch}`, 'vendor');
  return join(vendor, readdirSync(vendor)[0] ?? '', 'bin', 'codex');
}

/** Settings of one run, so that sessions at the same time have models of their own. */
const settings = (modelUrl: string) => [
  'model="gpt-5.5"',
  'model_provider="scripted"',
  'model_auto_compact_token_limit=200000',
  'check_for_update_on_startup=false',
  'analytics.enabled=false',
  `model_providers.scripted={name="scripted",base_url="${modelUrl}/v1",wire_api="responses",env_key="SCRIPTED_KEY",request_max_retries=0,stream_max_retries=0}`,
];

export const codex: ClientProgram = {
  name: 'codex',
  wire: responses,
  fullContext: 300_000,
  install: () => installPackages('@openai/codex'),
  hook: (machine, _repository, { program, args, timeoutSeconds }) =>
    machine.write(
      join(machine.home, '.codex', 'hooks.json'),
      JSON.stringify({
        hooks: Object.fromEntries(
          EVENTS.map((event) => [
            event,
            [
              {
                hooks: [{ type: 'command', command: [program, ...args].join(' '), timeout: timeoutSeconds }],
              },
            ],
          ]),
        ),
      }),
    ),
  async putOn(folder, machine) {
    await mkdir(join(machine.home, '.codex'), { recursive: true });
    await machine.program('codex', programOf(folder), []);
  },
  launch: (folder, _machine, { prompt, modelUrl, resume = false, unreviewed = false }) => {
    return {
      command: programOf(folder),
      args: [
        'exec',
        '--json',
        ...settings(modelUrl).flatMap((setting) => ['-c', setting]),
        '--dangerously-bypass-approvals-and-sandbox',
        ...(unreviewed ? ['--dangerously-bypass-hook-trust'] : []),
        ...(resume ? ['resume', '--last'] : []),
        prompt,
      ],
      env: { SCRIPTED_KEY: 'scripted' },
    };
  },
};
