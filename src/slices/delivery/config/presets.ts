import type { LooseRecord } from '../../../kernel/json/loose.ts';

export interface PresetOptions {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
}

/** A coding agent that Baton knows how to start, or an endpoint that it can ask itself. */
export interface Preset {
  readonly id: string;
  readonly title: string;
  /** What must be on the PATH. */
  readonly program: string;
  /** How to get it, and how to sign in. */
  readonly setup: string;
  /** Of these variables the endpoint needs one; programs sign in by themselves. */
  readonly keyEnv?: string;
  runtime(options: PresetOptions): LooseRecord;
}

/** Programs that report what they do are stopped after this long without a word. */
const STALL_SECONDS = 900;

function program(
  about: Omit<Preset, 'runtime' | 'program'>,
  command: readonly string[],
  more: LooseRecord,
  modelFlag: readonly string[],
): Preset {
  return {
    ...about,
    program: command[0] ?? '',
    runtime: ({ model }) => ({
      type: 'local_cli',
      command:
        model === undefined
          ? command
          : [...command.slice(0, 1 + at(command)), ...modelFlag, model, ...command.slice(1 + at(command))],
      ...more,
    }),
  };
}

/** A flag of a subcommand follows the subcommand. */
function at(command: readonly string[]): number {
  return command[1] === 'exec' || command[1] === 'run' ? 1 : 0;
}

function endpoint(id: 'openai' | 'anthropic', title: string, model: string, keyEnv: string): Preset {
  return {
    id,
    title,
    program: 'baton',
    setup: `Set ${keyEnv}; for a compatible server, --base-url and --model.`,
    keyEnv,
    runtime: (options) => ({
      type: 'local_cli',
      command: [
        'baton',
        'run',
        'model-turn',
        '--provider',
        id,
        '--model',
        options.model ?? model,
        '--api-key-env',
        options.apiKeyEnv ?? keyEnv,
        ...(options.baseUrl === undefined ? [] : ['--base-url', options.baseUrl]),
      ],
    }),
  };
}

/** Each takes the prompt and the context, works in the turn's tree and may write its result to the staging folder. */
export const presets: readonly Preset[] = [
  program(
    {
      id: 'claude',
      title: 'Claude Code',
      setup: 'npm install -g @anthropic-ai/claude-code, then run claude once to sign in.',
    },
    [
      'claude',
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--permission-mode',
      'acceptEdits',
      '--allowedTools',
      'Bash,Edit,Write,Read,Glob,Grep',
      '--add-dir',
      '{staging_dir}',
    ],
    { output: 'claude', result: 'output', stall_seconds: STALL_SECONDS },
    ['--model'],
  ),
  program(
    { id: 'codex', title: 'Codex', setup: 'npm install -g @openai/codex, then run codex login.' },
    [
      'codex',
      'exec',
      '--json',
      '--skip-git-repo-check',
      '--sandbox',
      'workspace-write',
      '--add-dir',
      '{staging_dir}',
      '-',
    ],
    { output: 'codex', result: 'output', stall_seconds: STALL_SECONDS },
    ['--model'],
  ),
  program(
    {
      id: 'gemini',
      title: 'Gemini CLI',
      setup: 'npm install -g @google/gemini-cli, then run gemini once to sign in.',
    },
    [
      'gemini',
      '--approval-mode',
      'yolo',
      '--output-format',
      'json',
      '--include-directories',
      '{staging_dir}',
    ],
    { output: 'gemini', result: 'output' },
    ['--model'],
  ),
  program(
    { id: 'opencode', title: 'opencode', setup: 'npm install -g opencode-ai, then run opencode auth login.' },
    ['opencode', 'run', '--format', 'json'],
    { output: 'opencode', result: 'output', stall_seconds: STALL_SECONDS },
    ['--model'],
  ),
  program(
    {
      id: 'aider',
      title: 'Aider',
      setup: 'pip install aider-install, then aider-install; set the key of your model.',
    },
    [
      'aider',
      '--yes-always',
      '--no-auto-commits',
      '--no-gitignore',
      '--no-check-update',
      '--no-pretty',
      '--no-stream',
      '--read',
      '{context_file}',
      '--file',
      '{staging_file}',
      '--message-file',
      '{prompt_file}',
    ],
    { prompt_transport: 'dispatch_bundle_only', result: 'output' },
    ['--model'],
  ),
  endpoint('openai', 'an OpenAI-compatible endpoint', 'gpt-5', 'OPENAI_API_KEY'),
  endpoint('anthropic', 'an Anthropic-compatible endpoint', 'claude-sonnet-4-5', 'ANTHROPIC_API_KEY'),
];

export function presetNamed(id: string): Preset | undefined {
  return presets.find((preset) => preset.id === id);
}
