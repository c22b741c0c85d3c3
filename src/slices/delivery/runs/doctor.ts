import { isString, member } from '../../../kernel/json/loose.ts';
import type { GovernedConfig, Runtime } from '../config/config.ts';
import { CONFIG_KEYS } from '../config/keys/config-keys.ts';
import { admissionFaults } from '../config/rules/admission.ts';
import { unknownKeys } from '../config/rules/unknown-keys.ts';
import { validateConfig } from '../config/rules/validate.ts';
import type { Finding } from '../findings.ts';
import { isOrchestratorPath } from '../path-rules.ts';
import { exists } from '../repository/files.ts';
import { statusOf } from '../repository/git.ts';
import { within } from '../repository/paths.ts';
import type { RunRepository } from '../repository/repository.ts';
import { readSnapshot } from '../repository/snapshot.ts';
import { commandOf } from '../runtimes/local-cli.ts';
import { isOnPath } from '../runtimes/on-path.ts';

export interface DoctorCheck {
  readonly check: string;
  readonly standing: 'ok' | 'warning' | 'fault';
  readonly message: string;
  readonly next?: string;
}

export interface Diagnosis {
  readonly ok: boolean;
  readonly checks: readonly DoctorCheck[];
}

/** Looks for what would stop a run, without starting an agent or changing anything. */
export async function diagnose(repository: RunRepository, env: NodeJS.ProcessEnv): Promise<Diagnosis> {
  // The files as they are, whether or not the run has taken them over.
  const { rawConfig, config } = await readSnapshot(repository.root);
  const { refused, ignored } = unknownKeys(rawConfig, CONFIG_KEYS);
  const faults = validateConfig(rawConfig);
  const stuck = faults.length === 0 ? admissionFaults(config) : [];
  const checks = [
    ...[...faults, ...stuck, ...refused].map((finding) => ofFinding(finding, 'fault')),
    ...ignored.map((finding) => ofFinding(finding, 'warning')),
    ...(await checkTree(repository.root)),
    ...(await checkPrompts(repository.root, config)),
    ...(await checkRuntimes(repository.root, config, env)),
  ];
  const configured = faults.length + stuck.length + refused.length === 0;
  const all = configured ? [fine('config', 'agentxchain.json is valid.'), ...checks] : checks;
  return { ok: all.every(({ standing }) => standing !== 'fault'), checks: all };
}

function ofFinding({ message, next }: Finding, standing: 'warning' | 'fault'): DoctorCheck {
  return { check: 'config', standing, message, next };
}

function fine(check: string, message: string): DoctorCheck {
  return { check, standing: 'ok', message };
}

async function checkTree(root: string): Promise<readonly DoctorCheck[]> {
  const status = await statusOf(root);
  if (status === undefined) {
    const message =
      'This is not a git repository: nothing compares what turns declare with what they change.';
    return [
      { check: 'git', standing: 'warning', message, next: 'git init && git add -A && git commit -m Begin' },
    ];
  }
  if (status.head === null)
    return [
      {
        check: 'git',
        standing: 'fault',
        message: 'There is no commit yet.',
        next: 'git add -A && git commit -m Begin',
      },
    ];
  const dirty = status.changed.filter((path) => !isOrchestratorPath(path));
  if (dirty.length === 0) return [fine('git', 'The work tree is clean.')];
  const message = `The work tree has changes: ${dirty.slice(0, 5).join(', ')}${dirty.length > 5 ? ', …' : ''}.`;
  return [
    { check: 'git', standing: 'warning', message, next: 'Commit or discard them before a turn begins.' },
  ];
}

async function checkPrompts(root: string, config: GovernedConfig): Promise<readonly DoctorCheck[]> {
  const checks: DoctorCheck[] = [];
  for (const [role, path] of Object.entries(config.prompts)) {
    if (await exists(within(root, path))) continue;
    checks.push({
      check: 'prompts',
      standing: 'fault',
      message: `prompts.${role} names ${path}, which is not there.`,
    });
  }
  return checks;
}

async function checkRuntimes(
  root: string,
  config: GovernedConfig,
  env: NodeJS.ProcessEnv,
): Promise<readonly DoctorCheck[]> {
  const used = new Set(Object.values(config.roles).map((role) => role.runtime_id));
  const checks: DoctorCheck[] = [];
  for (const id of used) {
    const runtime = member(config.runtimes, id);
    if (runtime !== undefined) checks.push(...(await checkRuntime(root, id, runtime, env)));
  }
  return checks;
}

async function checkRuntime(
  root: string,
  id: string,
  runtime: Runtime,
  env: NodeJS.ProcessEnv,
): Promise<readonly DoctorCheck[]> {
  const check = `runtime ${id}`;
  const checks: DoctorCheck[] = [];
  if (runtime.type === 'local_cli' || (runtime.type === 'mcp' && runtime.command !== undefined)) {
    const words = commandOf(runtime);
    const found = await isOnPath(words[0] ?? '', env.PATH ?? '', root);
    checks.push(
      found
        ? fine(check, `${words[0]} can be started.`)
        : {
            check,
            standing: 'fault',
            message: `${words[0] ?? 'Its command'} is not on the PATH.`,
            next: 'Install it, or correct its command.',
          },
    );
    const flag = words.indexOf('--api-key-env');
    if (flag > 0) checks.push(...keyCheck(check, words[flag + 1], env));
  }
  if (runtime.type === 'api_proxy')
    checks.push(...keyCheck(check, runtime.api_key_env ?? runtime.auth_env, env));
  return checks;
}

function keyCheck(check: string, name: unknown, env: NodeJS.ProcessEnv): readonly DoctorCheck[] {
  if (!isString(name)) return [];
  if (env[name]) return [fine(check, `${name} is set.`)];
  return [
    {
      check,
      standing: 'fault',
      message: `The environment variable ${name} is not set.`,
      next: `export ${name}=…`,
    },
  ];
}
