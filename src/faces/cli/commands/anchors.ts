import { relative, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { visibleJson } from '../../../kernel/visible-text.ts';
import { blobIdOf } from '../anchors/blob-id.ts';
import { type Anchored, type CheckedAnchor, checkAnchors } from '../anchors/check-anchors.ts';
import { movedText } from '../anchors/moved-text.ts';
import { repositoryAround } from '../anchors/repository.ts';
import { projectOrDefault } from '../connect/project-here.ts';
import { cliErrors } from '../errors.ts';
import { type Connection, EXIT, type Host } from '../host.ts';
import { ask, withConnection } from '../operation.ts';
import { parentCommand } from './parent.ts';

interface CheckOptions {
  readonly project?: string;
  readonly window?: number;
  readonly strict?: boolean;
  readonly json?: boolean;
}

export function addAnchorCommands(program: Command, host: Host): void {
  const anchors = parentCommand(program, 'anchors', 'Files that packages and facts describe.');
  anchors
    .command('check')
    .description('List files of the surrounding repository that changed after they were described.')
    .option('--project <id>', 'the project (default: this repository’s, else your default project)')
    .option('--window <days>', 'how many days to look back (default: 14)', Number)
    .option('--strict', 'exit with 6 if a file changed or is gone')
    .option('--json', 'print JSON')
    .action(async (options: CheckOptions) => {
      const checked = await withConnection(host, (connection) => checkedHere(connection, host, options));
      // Its own renderer: what it says is also said to agents.
      process.stdout.write(
        `${options.json ? visibleJson(JSON.stringify(checked ?? null)) : inWords(checked)}\n`,
      );
      if (options.strict && checked?.some(({ state }) => state === 'changed' || state === 'gone')) {
        process.exitCode = EXIT.integrity;
      }
    });
  anchors
    .command('of')
    .description('Print anchors of files as JSON, for use in deposits and assertions made elsewhere.')
    .argument('<paths...>', 'files of the surrounding repository')
    .action(async (paths: string[]) => {
      process.stdout.write(`${visibleJson(JSON.stringify(await anchorsOf(paths)))}\n`);
    });
}

/** What the orientation of a project relies on, compared with the files here. */
export async function checkedHere(
  connection: Connection,
  host: Host,
  { project, window: window_days }: { readonly project?: string; readonly window?: number },
): Promise<CheckedAnchor[] | undefined> {
  const project_id = await projectOrDefault(connection, host, project);
  const { anchors } = (await ask(connection, host, 'context.anchors', { project_id, window_days })) as {
    anchors: Anchored[];
  };
  return checkAnchors(process.cwd(), anchors);
}

export async function anchorsOf(paths: readonly string[]) {
  const root = repositoryAround(process.cwd());
  if (root === undefined) throw cliErrors.no_repository();
  return Promise.all(
    paths.map(async (path) => {
      const inside = relative(root, resolve(path)).split(sep).join('/');
      const blob = inside.startsWith('../') ? undefined : await blobIdOf(resolve(path));
      if (blob === undefined) throw cliErrors.file_unreadable({ message: `${path} is no file of ${root}.` });
      return { path: inside, blob };
    }),
  );
}

function inWords(checked: readonly CheckedAnchor[] | undefined): string {
  if (checked === undefined) return 'None of the described files are in the surrounding repository.';
  const notice = movedText(checked);
  if (notice !== undefined) return notice;
  const elsewhere = checked.filter(({ state }) => state === 'elsewhere').length;
  const same = `Described files that are unchanged: ${checked.length - elsewhere}.`;
  return elsewhere === 0 ? same : `${same} Of other repositories: ${elsewhere}.`;
}
