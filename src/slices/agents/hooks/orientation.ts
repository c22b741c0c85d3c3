/** What an agent is told at the start of a conversation, and when a prompt or an edit comes. */
import { formatMillis } from '../../../kernel/instant.ts';
import { utf8Length } from '../../../kernel/json/utf8.ts';
import { byline, named, quoted } from '../../../kernel/quoted.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { type PackedPassage, packPassages } from '../../../spine/search/rules/pack.ts';
import { BYTES_PER_TOKEN } from '../../../spine/search/rules/text-budget.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { selectTouching } from '../capture/store.ts';
import { type LiveSession, liveSessions } from '../live/live-sessions.ts';
import type { OpenSession } from '../live/open-session.ts';
import { selectAgentSession } from '../live/store.ts';
import type { AgentsPorts } from '../ports.ts';
import { bearsOn } from './relevance.ts';

/** Codex keeps what is longer than 2,500 tokens in a file. */
const START_TOKENS = 2_400;
const OTHERS_SHOWN = 5;
const FILES_SHOWN = 6;
const MEMORIES_SHOWN = 8;

export async function startText(
  deps: AgentsPorts,
  principal: Principal,
  { session, agent }: OpenSession,
  requestId: string,
): Promise<string> {
  const { projectId } = session;
  const others = await deps.db.read((reader) =>
    liveSessions(reader, deps.clock.now(), projectId, OTHERS_SHOWN + 1),
  );
  const elsewhere = othersText(
    others.filter((each) => !isSame(each, agent.sessionId)).slice(0, OTHERS_SHOWN),
  );
  const memories = await deps.recall(principal, {
    limit: MEMORIES_SHOWN,
    requestId,
    session: session.sessionId,
  });
  const known = memoriesText(memories.map(({ content }) => content));
  const extra = [elsewhere, known].filter((text) => text !== '').join('\n');
  const left = START_TOKENS - Math.ceil(utf8Length(extra) / BYTES_PER_TOKEN);
  const brief = await deps.brief({ principal, projectId, session, maxTokens: Math.max(250, left) });
  return extra === '' ? brief : `${brief}\n${extra}\n`;
}

function isSame(live: LiveSession, sessionId: string): boolean {
  return live.sessionId === sessionId || live.parentSessionId === sessionId;
}

function othersText(others: readonly LiveSession[]): string {
  if (others.length === 0) return '';
  const lines = others.map(({ callsign, client, files, last }) => {
    const on =
      files.length > 0
        ? ` on ${files
            .slice(0, FILES_SHOWN)
            .map((file) => named(file))
            .join(', ')}`
        : '';
    return `- ${named(callsign ?? 'unnamed')} (${named(client)}), last seen ${formatMillis(last)}${on}`;
  });
  return `## Others at work here now\n\n${lines.join('\n')}\n`;
}

function memoriesText(contents: readonly string[]): string {
  if (contents.length === 0) return '';
  return `## What the person lets you know of them\n\n${contents.map((content) => quoted(content, 300)).join('\n')}\n`;
}

const RELATED_LOOKED_AT = 8;
const RELATED_SHOWN = 3;
const MOST_QUERY = 600;
const MOST_OF_ONE = 500;
const PROMPT_TOKENS = 1_200;

/** What bears on a prompt and has not been said in this conversation; undefined if nothing does. */
export async function promptText(
  deps: AgentsPorts,
  principal: Principal,
  { session }: OpenSession,
  prompt: string,
  requestId: string,
  isNew: (id: string) => Promise<boolean>,
): Promise<string | undefined> {
  const query = prompt.slice(0, MOST_QUERY);
  if (query.trim() === '') return undefined;
  const { projectId, sessionId } = session;
  const found = await deps.findRelated(principal, { projectId, query, limit: RELATED_LOOKED_AT });
  const related: PackedPassage[] = [];
  for (const { kind, id, text, title, author, sessionId: origin } of found) {
    if (related.length >= RELATED_SHOWN) break;
    if (origin === sessionId || !bearsOn(query, `${title ?? ''} ${text}`)) continue;
    if (!(await isNew(`${kind}:${id}`))) continue;
    const source = `${kind} ${named(id)}${author ? ` by ${byline(author)}` : ''}`;
    related.push({ source, title, text: text.slice(0, MOST_OF_ONE) });
  }
  const recalled = await deps.recall(principal, { query, limit: 3, requestId, session: sessionId });
  for (const { memoryId, content } of recalled) {
    if (bearsOn(query, content) && (await isNew(`memory:${memoryId}`))) {
      related.push({ source: 'Of the person, who lets you know', text: content.slice(0, MOST_OF_ONE) });
    }
  }
  const { text } = packPassages(related, { maxTokens: PROMPT_TOKENS });
  return text === '' ? undefined : `From this project’s ledger, on what was just asked. ${text}`;
}

const TOUCHED_SINCE = 30 * 60 * 1_000_000;

/** A warning, never a block: somebody else's live session touched these files lately. */
export async function touchedText(
  reader: Reader,
  deps: AgentsPorts,
  { session, agent }: OpenSession,
  paths: readonly string[],
): Promise<string | undefined> {
  const now = deps.clock.now();
  const lines: string[] = [];
  for (const path of paths.slice(0, 5)) {
    for (const { sessionId, atMicros } of await selectTouching(
      reader,
      session.projectId,
      path,
      now - TOUCHED_SINCE,
    )) {
      if (sessionId === session.sessionId || sessionId === agent.parentSessionId) continue;
      const other = await selectAgentSession(reader, sessionId);
      if (!other || other.ended || other.parentSessionId === session.sessionId) continue;
      const minutes = Math.round((now - atMicros) / 60_000_000);
      const { callsign } = await deps.sessions.getSession(reader, sessionId);
      lines.push(
        `${named(path)} was changed ${minutes} min ago by ${named(callsign ?? 'another session')} (${named(other.client)}), which is still at work.`,
      );
      break;
    }
  }
  if (lines.length === 0) return undefined;
  return `${lines.join(' ')} Read the file again before you rely on what you know of it.`;
}
