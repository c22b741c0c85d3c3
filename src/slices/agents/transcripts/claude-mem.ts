/** What claude-mem has kept of conversations: summaries and observations, one transcript for each of its sessions. Pure. */
import { type Members, membersOf, textOf } from '../clients/members.ts';
import { MOST_ENTRIES, MOST_TEXT } from './bounds.ts';
import type { Transcript, TranscriptEntry } from './transcript.ts';

export interface ClaudeMemRows {
  readonly summaries: readonly unknown[];
  readonly observations: readonly unknown[];
}

/** Of one project, which claude-mem names after its folder. */
export function claudeMemTranscripts(
  { summaries, observations }: ClaudeMemRows,
  project: string,
): Transcript[] {
  const sessions = new Map<string, TranscriptEntry[]>();
  const add = (row: Members, entries: readonly Omit<TranscriptEntry, 'at'>[]) => {
    const session = textOf(row, 'memory_session_id', 'sdk_session_id', 'session_id');
    const at = timeOf(row);
    if (session === undefined || at === undefined || textOf(row, 'project') !== project) return;
    const list = sessions.get(session) ?? [];
    list.push(...entries.map((entry) => ({ ...entry, text: entry.text.slice(0, MOST_TEXT), at })));
    sessions.set(session, list);
  };
  for (const row of observations.map(membersOf)) add(row, observed(row));
  for (const row of summaries.map(membersOf)) add(row, summed(row));
  return [...sessions].flatMap(([session, entries]) => {
    const kept = entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).slice(-MOST_ENTRIES);
    return kept.length > 0 ? [{ client: 'claude-mem', session, cwd: undefined, entries: kept }] : [];
  });
}

function observed(row: Members): Omit<TranscriptEntry, 'at'>[] {
  const title = textOf(row, 'title', 'text');
  const files = pathsOf(row.files_modified).map((text) => ({ kind: 'file' as const, text }));
  if (title === undefined) return files;
  const kind = textOf(row, 'type');
  return [{ kind: 'tool', text: kind === undefined ? title : `${kind}: ${title}` }, ...files];
}

function summed(row: Members): Omit<TranscriptEntry, 'at'>[] {
  const request = textOf(row, 'request');
  const told = ['completed', 'learned', 'investigated', 'next_steps', 'notes']
    .flatMap((name) => textOf(row, name) ?? [])
    .join('\n');
  return [
    ...(request === undefined ? [] : [{ kind: 'prompt' as const, text: request }]),
    ...pathsOf(row.files_edited).map((text) => ({ kind: 'file' as const, text })),
    ...(told === '' ? [] : [{ kind: 'message' as const, text: told }]),
  ];
}

function timeOf(row: Members): string | undefined {
  const epoch = Number(row.created_at_epoch);
  if (epoch > 0) return new Date(epoch > 1e11 ? epoch : epoch * 1000).toISOString();
  const millis = Date.parse(textOf(row, 'created_at') ?? '');
  return Number.isNaN(millis) ? undefined : new Date(millis).toISOString();
}

function pathsOf(value: unknown): string[] {
  if (typeof value !== 'string' || value === '') return [];
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string').slice(0, 20) : [];
  } catch {
    return [];
  }
}
