import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { BatonError } from '../../kernel/error.ts';
import type { Connection, Host } from '../host.ts';
import { addCounts, type Counts, countsInWords } from '../import-counts.ts';
import { ask } from '../operation.ts';
import { progress } from '../progress.ts';

interface SyncOptions {
  readonly from: string;
  readonly to?: string;
  readonly fromToken?: string;
  readonly toToken?: string;
  readonly project: string;
  readonly watch?: boolean;
  readonly json?: boolean;
}

interface SyncPage {
  readonly batch: Readonly<Record<string, readonly unknown[]>>;
  readonly cursor: string;
  readonly more: boolean;
}

const WAIT_SECONDS = 25;

export function addSyncCommand(program: Command, host: Host): void {
  program
    .command('sync')
    .description('Carry a project from one server to another: all of it first, then what changed since.')
    .requiredOption('--from <url>', 'the server to read')
    .requiredOption('--project <id>', 'the project')
    .option('--to <url>', 'the server to write; the one that runs here unless given')
    .option('--from-token <token>', 'a credential for the first')
    .option('--to-token <token>', 'a credential for the second, with the scope import')
    .option('--watch', 'go on until stopped')
    .option('--json', 'print JSON')
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
        const where = to.where === 'embedded' ? settings.dataDir : to.where;
        process.stdout.write(`${options.json ? JSON.stringify(carried) : inWords(carried, where)}\n`);
      } finally {
        await Promise.all([from.close(), to.close()]);
      }
    });
}

async function follow(from: Connection, to: Connection, host: Host, options: SyncOptions): Promise<Counts> {
  const { project: project_id, watch } = options;
  const place = await cursorFile(host, from.where, to.where, project_id);
  const bar = await progress(`Carrying ${project_id}`);
  let cursor = await readCursor(place);
  let carried: Counts = {};
  for (let pages = 1; ; pages += 1) {
    const page = await nextPage(from, host, { project_id, cursor, wait: watch ? WAIT_SECONDS : 0 });
    if (page === undefined) {
      // The journal over there no longer reaches back to where we were.
      await rm(place, { force: true });
      cursor = undefined;
      continue;
    }
    if (Object.values(page.batch).some((lines) => lines.length > 0)) {
      carried = addCounts(carried, await ask(to, host, 'transfer.import', { ...page.batch, mirror: true }));
    }
    // Only after the other side has it: a crash repeats a page, and a repeated page changes nothing.
    cursor = page.cursor;
    await writeCursor(place, cursor);
    bar.step(pages, pages + 1, countsInWords(carried) ?? 'nothing new');
    if (!page.more && !watch) break;
  }
  bar.done();
  return carried;
}

/** Undefined where the cursor is too old. */
async function nextPage(
  from: Connection,
  host: Host,
  asked: Readonly<Record<string, unknown>>,
): Promise<SyncPage | undefined> {
  try {
    return await ask(from, host, 'transfer.sync', asked);
  } catch (error) {
    if (error instanceof BatonError && error.code === 'cursor_expired') return undefined;
    throw error;
  }
}

function inWords(carried: Counts, where: string): string {
  const words = countsInWords(carried);
  return words ? `Carried to ${where}: ${words}` : `Nothing new for ${where}`;
}

async function cursorFile(host: Host, ...parts: string[]): Promise<string> {
  const folder = join(host.settings.dataDir, 'sync');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
  return join(folder, `${name}.json`);
}

async function readCursor(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as { cursor?: string }).cursor;
}

async function writeCursor(path: string, cursor: string): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify({ cursor }));
  await rename(`${path}.new`, path);
}
