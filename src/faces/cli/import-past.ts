/** `baton import claude-code`: the conversations that a client has kept of this repository. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { claudeMemTranscripts } from '../../slices/agents/transcripts/claude-mem.ts';
import {
  TRANSCRIPT_CLIENTS,
  type TranscriptClient,
  transcriptReader,
} from '../../slices/agents/transcripts/readers.ts';
import type { Transcript } from '../../slices/agents/transcripts/transcript.ts';
import { placesHere } from './connect/places.ts';
import { cliErrors } from './errors.ts';
import type { Connection, Host } from './host.ts';
import { notesOf } from './import-notes.ts';
import { ask } from './operation.ts';
import { progress } from './progress.ts';

export interface PastOptions {
  readonly project?: string | undefined;
  /** Where the client keeps them, if not where it usually does. */
  readonly folder?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface PastCounts {
  readonly found: number;
  readonly new: number;
  readonly longer: number;
  readonly unchanged: number;
  /** Files that hold nothing, or that are of another repository. */
  readonly skipped: number;
  readonly failed: readonly { readonly file: string; readonly reason: string }[];
}

/** Those whose files are transcripts; claude-mem, which has a store; and what was written down for agents. */
export const PAST_SOURCES = [...TRANSCRIPT_CLIENTS, 'claude-mem', 'notes'] as const;
export type PastSource = (typeof PAST_SOURCES)[number];

/** Where a source keeps what it has, as its own settings say. */
function folderOf(source: PastSource): string {
  const places = placesHere();
  const { home } = places;
  switch (source) {
    case 'claude-code':
    case 'notes':
      return join(places.claudeFolder ?? join(home, '.claude'), 'projects');
    case 'codex':
      return join(places.codexFolder ?? join(home, '.codex'), 'sessions');
    case 'gemini':
      return join(places.geminiFolder ?? home, '.gemini', 'tmp');
    case 'claude-mem':
      return join(home, '.claude-mem');
  }
}

/** One after another, each for itself: an import that was broken off goes on where it was. */
export async function importPast(
  connection: Connection,
  host: Host,
  client: PastSource,
  options: PastOptions,
): Promise<PastCounts> {
  const root = repositoryRoot(process.cwd());
  const project =
    options.project ??
    projectOf(root) ??
    (await ask(connection, host, 'identity.whoami', {})).default_project;
  const folder = resolve(options.folder ?? folderOf(client));
  if (client !== 'notes' && !existsSync(folder)) {
    throw cliErrors.file_unreadable({
      message: `Nothing of ${client} was found on this machine: ${folder} does not exist.`,
      next: 'If it keeps its files elsewhere, name that folder with --folder.',
    });
  }
  const sources = await sourcesIn(host, folder, client, root);
  const bar = await progress(`Importing from ${client}`);
  const counts = { new: 0, longer: 0, unchanged: 0, skipped: 0 };
  const failed: { file: string; reason: string }[] = [];
  for (const [at, { name, read }] of sources.entries()) {
    try {
      const transcript = await read();
      if (!transcript) counts.skipped += 1;
      else if (options.dryRun) counts.new += 1;
      else {
        const { cwd: _cwd, ...body } = transcript;
        const taken = await ask(connection, host, 'agents.transcript', { project_id: project, ...body });
        counts[taken.state as 'new' | 'longer' | 'unchanged'] += 1;
      }
    } catch (error) {
      failed.push({ file: name, reason: (error as Error).message });
    }
    bar.step(at + 1, sources.length, name);
  }
  bar.done();
  return { found: sources.length, ...counts, failed };
}

interface PastConversation {
  readonly name: string;
  /** Undefined if it holds nothing, or is of another repository. */
  read(): Promise<Transcript | undefined>;
}

async function sourcesIn(
  host: Host,
  folder: string,
  client: PastSource,
  root: string,
): Promise<PastConversation[]> {
  if (client === 'notes') return notesOf(root, join(folder, folderName(root), 'memory')).map(asRead);
  if (client !== 'claude-mem') {
    return (await transcriptFiles(folder, client, root)).map((file) => ({
      name: relative(folder, file),
      read: () => readTranscript(client, file, root, host.settings.dataDir),
    }));
  }
  const file = join(folder, 'claude-mem.db');
  const summaries = await host.readForeignTable(file, 'session_summaries');
  const observations = await host.readForeignTable(file, 'observations');
  return claudeMemTranscripts({ summaries, observations }, basename(root)).map(asRead);
}

const asRead = (transcript: Transcript): PastConversation => ({
  name: transcript.session,
  read: async () => transcript,
});

/** Claude Code names a folder after the place. */
function folderName(root: string): string {
  return root.replaceAll(/[^A-Za-z0-9]/g, '-');
}

export function pastInWords(client: string, counts: PastCounts, dryRun: boolean): string {
  const taken = counts.new + counts.longer;
  const parts = [
    counts.unchanged > 0 ? `${counts.unchanged} known before` : undefined,
    counts.skipped > 0 ? `${counts.skipped} empty or of other repositories` : undefined,
  ].filter(Boolean);
  const verb = dryRun ? 'Would import' : 'Imported';
  const [thing, from] = client === 'notes' ? ['note', ''] : ['conversation', ` from ${client}`];
  const did = taken === 0 ? 'Nothing new' : `${verb} ${taken} ${thing}${taken === 1 ? '' : 's'}`;
  const said = `${did}${from}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}.`;
  return [said, ...counts.failed.slice(0, 20).map(({ file, reason }) => `  ${file}: ${reason}`)].join('\n');
}

function repositoryRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.baton', 'project.json')) || existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}

function projectOf(root: string): string | undefined {
  try {
    const { project } = JSON.parse(readFileSync(join(root, '.baton', 'project.json'), 'utf8'));
    return typeof project === 'string' ? project : undefined;
  } catch {
    return undefined;
  }
}

async function transcriptFiles(folder: string, client: TranscriptClient, root: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true, encoding: 'utf8' });
  const ending = client === 'gemini' ? /(?:^|[\\/])session-[^\\/]*\.jsonl?$/ : /\.jsonl$/;
  // Subagents are part of their conversation.
  const place = folderName(root);
  return all
    .filter((file) => ending.test(file) && !/[\\/]subagents[\\/]/.test(file))
    .filter((file) => client !== 'claude-code' || !file.includes(sep) || file.startsWith(place))
    .sort()
    .map((file) => join(folder, file));
}

/** Undefined for one of another repository. Lines are read one by one: a transcript may have a hundred megabytes. */
async function readTranscript(
  client: TranscriptClient,
  file: string,
  root: string,
  dataDir: string,
): Promise<Transcript | undefined> {
  const place = { root, home: homedir(), data: dataDir, temporary: tmpdir(), platform: process.platform };
  const reader = transcriptReader(client, place);
  const lines = file.endsWith('.json') ? [readFileSync(file, 'utf8')] : linesIn(file);
  let first = true;
  for await (const line of lines) {
    const record = parsed(line);
    if (record === undefined) continue;
    if (first && client === 'gemini' && !isOfProject(record, root)) return undefined;
    first = false;
    reader.take(record);
  }
  const transcript = reader.done();
  if (!transcript) return undefined;
  return transcript.cwd === undefined || isInside(root, transcript.cwd) ? transcript : undefined;
}

const LONGEST_LINE = 32 * 1024 * 1024;

async function* linesIn(file: string): AsyncGenerator<string> {
  const lines = createInterface({
    input: createReadStream(file, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) if (line !== '' && line.length < LONGEST_LINE) yield line;
}

/** The last line of a conversation that is under way may be half written. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isOfProject(record: unknown, root: string): boolean {
  const { projectHash } = record as { projectHash?: unknown };
  return typeof projectHash !== 'string' || projectHash === createHash('sha256').update(root).digest('hex');
}

function isInside(root: string, folder: string): boolean {
  const path = relative(root, folder);
  return path === '' || (path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path));
}
