import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { deliveryErrors } from '../errors.ts';
import { exists, writeAtomically } from '../repository/files.ts';
import { isWorkTree } from '../repository/git.ts';
import { FILES, within } from '../repository/paths.ts';
import { documentText } from '../repository/repository.ts';
import { idleState } from '../run-state.ts';
import { SCAFFOLD_DOCUMENTS, scaffoldConfig } from './scaffold.ts';

export interface InitOptions {
  readonly name?: string;
  readonly goal?: string;
  readonly agentCommand?: readonly string[];
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
  const config = scaffoldConfig({ ...options, id, name });
  const files: Record<string, string> = {
    [FILES.config]: documentText(config),
    [FILES.state]: documentText(idleState(id, 'planning')),
    [FILES.talk]: `# ${name}\n`,
    ...SCAFFOLD_DOCUMENTS,
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

async function ignore(root: string): Promise<boolean> {
  const file = within(root, '.gitignore');
  const before = await readFile(file, 'utf8').catch(() => '');
  const missing = IGNORED.filter((line) => !before.split(/\r?\n/).includes(line));
  if (missing.length === 0) return false;
  const separator = before === '' || before.endsWith('\n') ? '' : '\n';
  await writeAtomically(file, `${before}${separator}${missing.join('\n')}\n`);
  return true;
}
