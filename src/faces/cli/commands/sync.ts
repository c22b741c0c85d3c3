import { createHash } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { makePrivateFolder, writePrivateFile } from '../../../platform/private-files.ts';
import { requirePerson } from '../agent-session.ts';
import { type Connection, EXIT, type Host } from '../host.ts';
import { addCounts, type Counts, countsInWords } from '../import-counts.ts';
import { ask } from '../operation.ts';
import { print } from '../output.ts';
import { progress } from '../progress.ts';
import { type SyncPage, type SyncRequest, undefinedIfExpired, WAIT_SECONDS } from '../sync/page.ts';
import { isStandardCursor, standardPages } from '../sync/standard-pages.ts';
import { createStandardReader, isMissing, unlessMissing } from '../sync/standard-reader.ts';

const PLAIN_SOURCE =
  'The server has no /sync: packages, their reviews and facts are copied; sessions, signatures and blobs are not.';

interface SyncOptions {
  readonly from: string;
  readonly to?: string;
  readonly fromToken?: string;
  readonly toToken?: string;
  readonly project: string;
  readonly watch?: boolean;
  readonly json?: boolean;
}

export function addSyncCommand(program: Command, host: Host): void {
  program
    .command('sync')
    .description('Copy a project from one server to another: everything first, then only changes.')
    .requiredOption('--from <url>', 'the server to read')
    .requiredOption('--project <id>', 'the project')
    .option('--to <url>', 'the server to write to (default: the one running here)')
    .option('--from-token <token>', 'a credential for the source server')
    .option('--to-token <token>', 'a credential for the target server, with the scope import')
    .option('--watch', 'keep running until stopped')
    .option('--json', 'print JSON')
    .action(async (options: SyncOptions) => {
      // What a project holds goes to another server, and what was destroyed there is destroyed here.
      const by = await requirePerson(host);
      const { settings } = by;
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
        const carried = await carry(from, to, by, options);
        const where = to.where === 'embedded' ? settings.dataDir : to.where;
        print(carried, options.json, (counts) => inWords(counts, where));
        if (carried.mismatched) process.exitCode = EXIT.integrity;
      } finally {
        await Promise.all([from.close(), to.close()]);
      }
    });
}

async function carry(from: Connection, to: Connection, host: Host, options: SyncOptions): Promise<Counts> {
  const { project: projectId, watch = false } = options;
  const place = await cursorFile(host, from.where, to.where, projectId);
  const bar = await progress(`Copying ${projectId}`);
  const request = { projectId, cursor: await readCursor(place), watch };
  let carried: Counts = {};
  let pages = 0;
  for await (const page of pagesOf(from, host, request)) {
    carried = addCounts(carried, await take(to, host, projectId, page));
    // Only after the other side has it: a crash repeats a page, and a repeated page changes nothing.
    if (page.cursor !== undefined) await writeCursor(place, page.cursor);
    pages += 1;
    bar.step(pages, pages + 1, countsInWords(carried) ?? 'nothing new');
  }
  bar.done();
  return carried;
}

/** As the source prepares them, or assembled from what every server of the protocol offers. */
async function* pagesOf(from: Connection, host: Host, request: SyncRequest): AsyncGenerator<SyncPage> {
  const { cursor, projectId } = request;
  if (!isStandardCursor(cursor)) {
    try {
      yield* ownPages(from, host, request);
      return;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  process.stderr.write(`${PLAIN_SOURCE}\n`);
  yield* standardPages(createStandardReader(from, host, projectId), request);
}

async function take(to: Connection, host: Host, projectId: string, page: SyncPage): Promise<Counts> {
  const { batch, redacted = [], mismatched = [] } = page;
  const isEmpty = Object.values(batch).every((lines) => lines.length === 0);
  let taken: Counts = isEmpty ? {} : await ask(to, host, 'transfer.import', { ...batch, mirror: true });
  for (const package_id of redacted) {
    const asked = { package_id, project: projectId, reason: 'Redacted at its source.' };
    if (await unlessMissing(ask(to, host, 'packages.redact', asked)))
      taken = addCounts(taken, { redacted: 1 });
  }
  return mismatched.length === 0 ? taken : addCounts(taken, { mismatched });
}

function inWords(carried: Counts, where: string): string {
  const { warnings = [], mismatched = [] } = carried as { warnings?: string[]; mismatched?: string[] };
  const words = countsInWords(carried);
  return [
    words ? `Copied to ${where}: ${words}` : `Nothing new for ${where}`,
    ...mismatched.map((id) => `  ${id} was left out: its hash does not match`),
    ...warnings.map((warning) => `  ${warning}`),
  ].join('\n');
}

async function cursorFile(host: Host, ...parts: string[]): Promise<string> {
  const folder = join(host.settings.dataDir, 'sync');
  makePrivateFolder(folder);
  const name = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
  return join(folder, `${name}.json`);
}

async function readCursor(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as { cursor?: string }).cursor;
}

async function writeCursor(path: string, cursor: string): Promise<void> {
  await writePrivateFile(`${path}.new`, JSON.stringify({ cursor }));
  await rename(`${path}.new`, path);
}

/** From a Baton server, which prepares each page itself, with everything in the project. */
async function* ownPages(
  from: Connection,
  host: Host,
  { projectId: project_id, watch, ...begin }: SyncRequest,
): AsyncGenerator<SyncPage> {
  const wait = watch ? WAIT_SECONDS : 0;
  let { cursor } = begin;
  for (;;) {
    const page = await ask(from, host, 'transfer.sync', { project_id, cursor, wait }).catch(
      undefinedIfExpired,
    );
    if (page) yield page;
    cursor = page?.cursor;
    if (page && !page.more && !watch) return;
  }
}
