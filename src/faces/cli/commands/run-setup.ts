import { resolve } from 'node:path';
import type { Command } from 'commander';
import pc from 'picocolors';
import type { Diagnosis, InitOptions, InitResult, TrialTurn } from '../../../slices/delivery/commands.ts';
import { agentOutput } from '../agent-output.ts';
import { cliErrors } from '../errors.ts';
import { EXIT, type Host } from '../host.ts';
import { askAboutProject } from './run-questions.ts';
import { relayOf } from './run-server.ts';
import { nextLine } from './run-text.ts';
import { dirVerb, interrupted, openRun, type RunOptions, show } from './run-verb.ts';

interface InitFlags extends RunOptions {
  readonly name?: string;
  readonly goal?: string;
  readonly template?: string;
  readonly agent?: string[];
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
  readonly unattended?: boolean;
}

/** Everything before the first turn: set up, check, try. */
export function addSetupVerbs(run: Command, host: Host): void {
  addInit(run);
  dirVerb(
    run,
    'doctor',
    'Check the configuration, the work tree and the agents, without starting any.',
  ).action(async (options: RunOptions) => {
    const { run: commands, repository } = await openRun(host, options);
    const diagnosis = await commands.diagnose(repository, process.env);
    show(options, diagnosis, doctorText);
    if (!diagnosis.ok) process.exitCode = EXIT.error;
  });
  dirVerb(run, 'try', 'Take one turn in a copy that is thrown away, to see whether an agent works.')
    .option('--role <role>', 'the role (default: the one that begins)')
    .action(async (options: RunOptions & { role?: string }) => {
      const { run: commands, repository } = await openRun(host, options);
      const trial = await commands.tryTurn(repository, {
        adapters: commands.runtimeAdapters({ askPeer: relayOf(host) }),
        signal: interrupted(),
        onOutput: agentOutput((text) => process.stderr.write(text)),
        ...(options.role !== undefined && { role: options.role }),
      });
      show(options, trial, trialText);
      if (trial.outcome !== 'accepted' && trial.outcome !== 'waiting') process.exitCode = EXIT.error;
    });
  addModelTurn(run);
}

function addInit(run: Command): void {
  const command = dirVerb(
    run,
    'init',
    'Set up a governed project; existing files are kept. Asks three questions.',
  )
    .option('--name <name>', 'the project name (default: the directory’s name)')
    .option('--goal <text>', 'what to deliver')
    .option('--template <name>', 'feature (plan, build, check) or bugfix (fix, check)')
    .option(
      '--agent <command...>',
      'claude, codex, gemini, opencode, aider, openai, anthropic, or any command line; pm=claude dev=codex for one each (default: people take the turns)',
    )
    .option('--unattended', 'open the gates between phases without a person; the last one asks')
    .option('--model <name>', 'the agent’s model')
    .option('--base-url <url>', 'openai, anthropic: a compatible server')
    .option('--api-key-env <name>', 'openai, anthropic: the environment variable that holds the key')
    // The flags of an agent's own command line follow --agent.
    .allowUnknownOption()
    .allowExcessArguments();
  command.action(async (options: InitFlags) => {
    const words = command.args;
    if (words.length > 0 && options.agent === undefined)
      throw cliErrors.bad_arguments({ message: `unknown option '${words[0]}'` });
    const { initProject } = await import('../../../slices/delivery/commands.ts');
    const made = await initProject(resolve(options.dir), await initOptions(options, words));
    show(options, made, initText);
  });
}

async function initOptions(options: InitFlags, words: readonly string[]): Promise<InitOptions> {
  const { name, goal, template, agent, unattended, model, baseUrl, apiKeyEnv } = options;
  const given = {
    ...(name !== undefined && { name }),
    ...(goal !== undefined && { goal }),
    ...(template !== undefined && { template }),
    ...(unattended && { unattended }),
    ...(agent !== undefined && { agent: [...agent, ...words] }),
    preset: {
      ...(model !== undefined && { model }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(apiKeyEnv !== undefined && { apiKeyEnv }),
    },
  };
  const silent = options.json || !process.stdin.isTTY || goal !== undefined || agent !== undefined;
  return silent ? given : { ...given, ...(await askAboutProject()) };
}

function initText({ created, next }: InitResult): string {
  return [
    'Set up:',
    ...created.map((path) => `  ${path}`),
    pc.dim('Check it with baton run doctor, or one turn of it with baton run try.'),
    nextLine(next),
  ].join('\n');
}

const MARKS = { ok: pc.green('✓'), warning: pc.yellow('!'), fault: pc.red('✗') };

function doctorText({ checks }: Diagnosis): string {
  return checks
    .flatMap(({ check, standing, message, next }) => [
      `${MARKS[standing]} ${pc.bold(check)}  ${message}`,
      ...(next === undefined ? [] : [`  ${pc.dim('→')} ${next}`]),
    ])
    .join('\n');
}

function trialText({ outcome, role, summary, files, message }: TrialTurn): string {
  if (outcome === 'accepted') {
    return [
      `${pc.green('✓')} ${pc.bold(role ?? '')} took a turn, and it would be accepted: ${summary}`,
      ...files.map((path) => `  ${path}`),
      pc.dim('Nothing of it was kept.'),
    ].join('\n');
  }
  return `${outcome === 'waiting' ? pc.yellow('!') : pc.red('✗')} ${outcome}: ${message ?? ''}`;
}

function addModelTurn(run: Command): void {
  run
    .command('model-turn')
    .description('A runtime: take the turn that the environment names with a bare model behind an API.')
    .requiredOption('--provider <name>', 'openai or anthropic')
    .requiredOption('--model <name>', 'which model')
    .option('--api-key-env <name>', 'the environment variable that holds the key')
    .option('--base-url <url>', 'a compatible server')
    .option('--max-output-tokens <count>', 'the longest answer', Number)
    .action(
      async (options: {
        provider: string;
        model: string;
        apiKeyEnv?: string;
        baseUrl?: string;
        maxOutputTokens?: number;
      }) => {
        const { takeModelTurn } = await import('../../../slices/delivery/commands.ts');
        const failure = await takeModelTurn({ ...options, env: process.env, cwd: process.cwd() });
        if (failure === undefined) return;
        process.stderr.write(`${failure}\n`);
        process.exitCode = EXIT.error;
      },
    );
}
