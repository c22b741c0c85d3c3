import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import { suggestion } from '../../../kernel/nearest.ts';
import { deliveryErrors } from '../errors.ts';
import { exists, writeAtomically } from '../repository/files.ts';
import { isWorkTree } from '../repository/git.ts';
import { FILES, within } from '../repository/paths.ts';
import { documentText } from '../repository/repository.ts';
import { idleState } from '../run-state.ts';
import { commandWords } from './command-words.ts';
import { type PresetOptions, presetNamed } from './presets.ts';
import { type ScaffoldAgent, scaffoldConfig, scaffoldDocuments, TEMPLATES } from './scaffold.ts';

export interface InitOptions {
  readonly name?: string;
  readonly goal?: string;
  /** `feature` by default, or `bugfix`. */
  readonly template?: string;
  /** The id of a preset or a command line for every role, or `role=agent` for each of some. */
  readonly agent?: string | readonly string[];
  readonly preset?: PresetOptions;
  /** The gates between phases open by themselves once they pass; the last one asks a person. */
  readonly unattended?: boolean;
}

export interface InitResult {
  readonly created: readonly string[];
  readonly next: string;
}

/** Files that change on every step and are rebuilt from the others. */
const IGNORED = [
  '.agentxchain/locks/',
  '.agentxchain/transactions/',
  '.agentxchain/staging/',
  '.agentxchain/session.json',
  '.agentxchain/logs/',
];

/** Sets up a governed project that needs no API key. Existing files are left as they are. */
export async function initProject(root: string, options: InitOptions = {}): Promise<InitResult> {
  if (await exists(within(root, FILES.config))) {
    throw deliveryErrors.run_already_initialized({ message: `${FILES.config} exists in ${root}.` });
  }
  const name = options.name ?? basename(resolve(root));
  const id =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'project';
  const { goal, template = 'feature', agent } = options;
  if (!Object.hasOwn(TEMPLATES, template)) {
    const message = `There is no template "${template}"; ${suggestion(template, Object.keys(TEMPLATES))}`;
    throw deliveryErrors.refused({ message, next: `Use one of: ${Object.keys(TEMPLATES).join(', ')}.` });
  }
  const config = scaffoldConfig({
    id,
    name,
    template,
    ...(goal !== undefined && { goal }),
    ...(options.unattended && { unattended: true }),
    agents: agentsOf(agent, Object.keys(TEMPLATES[template]?.roles ?? {}), options.preset ?? {}),
  });
  const phase = Object.keys(TEMPLATES[template]?.routing ?? {})[0] ?? 'planning';
  const files: Record<string, string> = {
    [FILES.config]: documentText(config),
    [FILES.state]: documentText(idleState(id, phase)),
    [FILES.talk]: `# ${name}\n`,
    ...scaffoldDocuments(template),
  };
  const created: string[] = [];
  for (const [path, text] of Object.entries(files)) {
    if (await exists(within(root, path))) continue;
    await writeAtomically(within(root, path), text);
    created.push(path);
  }
  if (await ignore(root)) created.push('.gitignore');
  // The first turn begins on a clean tree.
  const commit = (await isWorkTree(root)) ? 'git add -A && git commit -m "Set up runs" && ' : '';
  return { created, next: `${commit}baton run start` };
}

const FOR_A_ROLE = /^([a-z0-9_-]+)=(.+)$/s;

/** Who takes the turns of which role; people take those of the others. */
function agentsOf(
  agent: InitOptions['agent'],
  roles: readonly string[],
  options: PresetOptions,
): readonly ScaffoldAgent[] {
  if (agent === undefined) return [];
  const words = typeof agent === 'string' ? [agent] : agent;
  const each = words.map((word) => FOR_A_ROLE.exec(word));
  if (each.some((found) => found === null))
    return [{ id: 'agent', runtime: runtimeOf(agent, options), roles }];
  return each.map((found) => {
    const [, role = '', command = ''] = found ?? [];
    if (!roles.includes(role)) {
      const message = `There is no role "${role}"; ${suggestion(role, roles)}`;
      throw deliveryErrors.refused({ message, next: `Use one of: ${roles.join(', ')}.` });
    }
    return { id: `${role}-agent`, runtime: runtimeOf(command, options), roles: [role] };
  });
}

/** A name that is no preset is a program; several words are its command line. */
function runtimeOf(agent: string | readonly string[], options: PresetOptions): LooseRecord {
  const words =
    typeof agent === 'string'
      ? commandWords(agent)
      : agent.length === 1
        ? commandWords(agent[0] ?? '')
        : agent;
  const [first = ''] = words;
  const preset = words.length === 1 ? presetNamed(first) : undefined;
  if (preset !== undefined) return preset.runtime(options);
  return { type: 'local_cli', command: words, result: 'output' };
}

async function ignore(root: string): Promise<boolean> {
  const file = within(root, '.gitignore');
  const before = await readFile(file, 'utf8').catch(() => '');
  const missing = IGNORED.filter((line) => !before.split(/\r?\n/).includes(line));
  if (missing.length === 0) return false;
  const separator = before === '' || before.endsWith('\n') ? '' : '\n';
  await writeAtomically(file, `${before}${separator}${missing.join('\n')}\n`);
  return true;
}
