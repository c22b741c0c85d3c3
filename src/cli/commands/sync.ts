import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Connection, Host } from '../host.ts';
import { ask, operationNamed } from '../operation.ts';

interface SyncOptions {
  readonly from: string;
  readonly to?: string;
  readonly fromToken?: string;
  readonly toToken?: string;
  readonly project: string;
  readonly watch?: boolean;
}

interface Change {
  readonly ids: { readonly package_id?: string; readonly fact_id?: string; readonly supersedes?: string };
}

const WAIT_SECONDS = 25;

export function addSyncCommand(program: Command, host: Host): void {
  program
    .command('sync')
    .description('Carry what changed in a project from one server to another, from where the last run ended.')
    .requiredOption('--from <url>', 'the server to read')
    .requiredOption('--project <id>', 'the project')
    .option('--to <url>', 'the server to write; the one that runs here unless given')
    .option('--from-token <token>', 'a credential for the first')
    .option('--to-token <token>', 'a credential for the second, with the scope import')
    .option('--watch', 'go on until stopped')
    .action(async (options: SyncOptions) => {
      const { settings } = host;
      const from = await host.connect({
        ...settings,
        url: options.from,
        token: options.fromToken ?? settings.token,
      });
      const to = await host.connect({
        ...settings,
        url: options.to ?? settings.url,
        token: options.toToken ?? settings.token,
      });
      try {
        const carried = await follow(from, to, host, options);
        process.stdout.write(`${carried} changes carried to ${to.where}\n`);
      } finally {
        await Promise.all([from.close(), to.close()]);
      }
    });
}

async function follow(from: Connection, to: Connection, host: Host, options: SyncOptions): Promise<number> {
  const { project } = options;
  const place = await cursorFile(host, from.where, to.where, project);
  let since = await readCursor(place);
  if (since === undefined) {
    const { lines } = await ask(from, host, 'transfer.export', { project_id: project, file: 'projects' });
    await ask(to, host, 'transfer.import', { projects: lines });
  }
  let carried = 0;
  for (;;) {
    const page: { changes: Change[]; next: number } = await ask(from, host, 'context.changes', {
      project_id: project,
      types: ['package.deposited', 'package.transitioned', 'fact.asserted', 'fact.invalidated'],
      limit: 200,
      ...(since !== undefined && { since }),
      ...(options.watch && { wait: WAIT_SECONDS }),
    });
    if (page.changes.length > 0) await carry(from, to, host, project, page.changes);
    carried += page.changes.length;
    since = page.next;
    // Only after the other side has it: a crash repeats a page, and a repeated page changes nothing.
    await writeCursor(place, since);
    if (page.changes.length === 0 && !options.watch) return carried;
  }
}

async function carry(
  from: Connection,
  to: Connection,
  host: Host,
  project: string,
  changes: readonly Change[],
) {
  const ids = (pick: (change: Change) => (string | undefined)[]) => [
    ...new Set(changes.flatMap(pick).filter(Boolean)),
  ];
  const packages = [];
  for (const package_id of ids(({ ids: { package_id } }) => [package_id])) {
    packages.push(await itemOf(from, host, project, String(package_id)));
  }
  const facts: string[] = [];
  // What a fact replaced comes first, so that it has ended when its successor arrives.
  for (const fact_id of ids(({ ids: { supersedes, fact_id } }) => [supersedes, fact_id])) {
    const { body } = await from.call(operationNamed(host, 'facts.list'), {
      project_id: project,
      fact_id,
      history: true,
    });
    facts.push(...topLevelItems(body));
  }
  await ask(to, host, 'transfer.import', { packages: packages.filter((item) => item !== undefined), facts });
}

async function itemOf(from: Connection, host: Host, project: string, packageId: string) {
  const operation = operationNamed(host, 'packages.get_in');
  const asked = { project_id: project, package_id: packageId };
  const envelope = JSON.parse((await from.call(operation, { ...asked, envelope: true })).body);
  if (envelope.redacted) return undefined;
  const { body: line } = await from.call(operation, asked);
  const { content_hash, deposit_hash, body_hash, reviews } = envelope;
  return {
    line,
    hashes: { content_hash, deposit_hash, body_hash },
    reviews: reviews.map((entry: unknown) => JSON.stringify(entry)),
  };
}

/** The items of a JSON list, each as it is written. */
function topLevelItems(list: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let start = 1;
  for (let at = 0; at < list.length; at += 1) {
    const char = list[at];
    if (char === '"') {
      for (at += 1; list[at] !== '"'; at += 1) if (list[at] === '\\') at += 1;
    } else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0 && at > start) items.push(list.slice(start, at));
    } else if (char === ',' && depth === 1) {
      items.push(list.slice(start, at));
      start = at + 1;
    }
  }
  return items;
}

async function cursorFile(host: Host, ...parts: string[]): Promise<string> {
  const folder = join(host.settings.dataDir, 'sync');
  await mkdir(folder, { recursive: true });
  return join(
    folder,
    `${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24)}.json`,
  );
}

async function readCursor(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as { since: number }).since;
}

async function writeCursor(path: string, since: number): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify({ since }));
  await rename(`${path}.new`, path);
}
