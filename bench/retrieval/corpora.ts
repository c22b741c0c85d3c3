import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/** Licensed data that is measured and never copied; beside the checkout unless `BATON_CORPORA` says where. */
export function corporaFolder(): string {
  // The bundle of a case stands as deep in the checkout as this file.
  const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
  return process.env.BATON_CORPORA ?? join(root, '..', 'shared', 'corpora');
}

export interface Turn {
  readonly speaker: string;
  readonly text: string;
  /** LongMemEval: whether the answer stands in this turn. */
  readonly hasAnswer: boolean;
}

export interface Session {
  /** As the corpus names it; not always unique. */
  readonly id: string;
  readonly micros: number;
  readonly turns: readonly Turn[];
}

export interface LongMemEvalQuestion {
  readonly id: string;
  readonly type: string;
  readonly question: string;
  readonly askedAt: number;
  readonly gold: ReadonlySet<string>;
  readonly sessions: readonly Session[];
}

interface LongMemEvalLine {
  readonly question_id: string;
  readonly question_type: string;
  readonly question: string;
  readonly question_date: string;
  readonly answer_session_ids: readonly string[];
  readonly haystack_dates: readonly string[];
  readonly haystack_session_ids: readonly string[];
  readonly haystack_sessions: readonly (readonly { role: string; content: string; has_answer?: boolean }[])[];
}

export function readLongMemEval(folder: string): LongMemEvalQuestion[] | undefined {
  const paths = ['longmemeval-dev', 'longmemeval-dev2'].map((set) => join(folder, set, 'questions.jsonl.gz'));
  const there = paths.filter((path) => existsSync(path));
  if (there.length === 0) return undefined;
  const lines = there.flatMap((path) => gunzipSync(readFileSync(path)).toString('utf8').trim().split('\n'));
  return lines.map((line) => {
    const row = JSON.parse(line) as LongMemEvalLine;
    return {
      id: row.question_id,
      type: row.question_type,
      question: row.question,
      askedAt: slashDate(row.question_date),
      gold: new Set(row.answer_session_ids),
      sessions: row.haystack_sessions.map((turns, at) => ({
        id: row.haystack_session_ids[at] ?? '',
        micros: slashDate(row.haystack_dates[at] ?? ''),
        turns: turns.map(({ role, content, has_answer = false }) => ({
          speaker: role,
          text: content,
          hasAnswer: has_answer,
        })),
      })),
    };
  });
}

/** `2023/05/20 (Sat) 02:56` */
function slashDate(text: string): number {
  const [, year, month, day, hour, minute] = /^(\d+)\/(\d+)\/(\d+) \(\w+\) (\d+):(\d+)$/.exec(text) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute)) * 1000;
}

export interface LoCoMoConversation {
  readonly id: string;
  readonly sessions: readonly (Session & { readonly turnIds: readonly string[] })[];
  readonly questions: readonly { readonly question: string; readonly evidence: ReadonlySet<string> }[];
  /** Questions left out because their evidence is missing or names no turn. */
  readonly dropped: number;
}

interface LoCoMoTurn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
  readonly blip_caption?: string;
}

interface LoCoMoRow {
  readonly sample_id: string;
  readonly conversation: Readonly<Record<string, string | readonly LoCoMoTurn[]>>;
  readonly qa: readonly { question: string; evidence?: readonly string[] }[];
}

export function readLoCoMo(folder: string): LoCoMoConversation[] | undefined {
  const paths = ['locomo-dev', 'locomo-dev2'].map((set) => join(folder, set, 'conversations.json'));
  const there = paths.filter((path) => existsSync(path));
  if (there.length === 0) return undefined;
  return there.flatMap((path) => (JSON.parse(readFileSync(path, 'utf8')) as LoCoMoRow[]).map(toConversation));
}

function toConversation({ sample_id, conversation, qa }: LoCoMoRow): LoCoMoConversation {
  const numbers = Object.keys(conversation).flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? []);
  const sessions = numbers.map((number) => {
    const turns = conversation[`session_${number}`] as readonly LoCoMoTurn[];
    return {
      id: `D${number}`,
      micros: spokenDate(conversation[`session_${number}_date_time`] as string),
      turnIds: turns.map(({ dia_id }) => dia_id),
      turns: turns.map(({ speaker, text, blip_caption }) => ({
        speaker,
        text: blip_caption === undefined ? text : `${text} [${blip_caption}]`,
        hasAnswer: false,
      })),
    };
  });
  const known = new Set(sessions.flatMap(({ turnIds }) => turnIds));
  const usable = qa.filter(
    ({ evidence = [] }) => evidence.length > 0 && evidence.every((id) => known.has(id)),
  );
  return {
    id: sample_id,
    sessions,
    questions: usable.map(({ question, evidence = [] }) => ({ question, evidence: new Set(evidence) })),
    dropped: qa.length - usable.length,
  };
}

/** `1:56 pm on 8 May, 2023` */
function spokenDate(text: string): number {
  const [, hour, minute, half, day, month, year] =
    /^(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)$/.exec(text) ?? [];
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return (Date.parse(`${day} ${month} ${year} UTC`) + (hours * 60 + Number(minute)) * 60_000) * 1000;
}
