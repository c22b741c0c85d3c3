/** One form for what happened in a conversation, whichever client wrote it down. Pure. */
import { outcomeOf } from '../capture/outcomes.ts';
import type { ToolCall, ToolResult } from '../clients/event.ts';
import type { Place } from '../clients/paths.ts';
import { withoutPrivate } from '../clients/private-words.ts';
import { toolSteps } from '../clients/tool-steps.ts';
import { MOST_ENTRIES, MOST_TEXT } from './bounds.ts';

export interface TranscriptEntry {
  readonly kind: 'prompt' | 'command' | 'file' | 'tool' | 'message';
  /** RFC 3339. */
  readonly at: string;
  readonly text: string;
  readonly ok?: boolean | undefined;
  readonly detail?: string | undefined;
}

export interface Transcript {
  readonly client: string;
  /** The client's own id of the conversation. */
  readonly session: string;
  /** Where it took place. */
  readonly cwd: string | undefined;
  /** What to call it, if not by its first prompt. */
  readonly title?: string | undefined;
  readonly entries: readonly TranscriptEntry[];
}

/** Takes the records of a transcript one by one, so that a large one is never in memory as a whole. */
export interface TranscriptReader {
  take(record: unknown): void;
  /** Undefined if nothing was said or done. */
  done(): Transcript | undefined;
}

const MOST_OPEN_CALLS = 1_000;

/** What all readers do with what they find. */
export class TranscriptBuilder {
  session: string | undefined;
  cwd: string | undefined;
  private readonly client: string;
  private readonly place: Omit<Place, 'cwd'>;
  private readonly prompts: TranscriptEntry[] = [];
  private readonly others: TranscriptEntry[] = [];
  private readonly calls = new Map<string, ToolCall>();
  private message: TranscriptEntry | undefined;

  constructor(client: string, place: Omit<Place, 'cwd'>) {
    this.client = client;
    this.place = place;
  }

  said(text: string, at: string): void {
    const words = clean(text);
    if (words.trim() !== '') push(this.prompts, { kind: 'prompt', at, text: words }, MOST_ENTRIES / 4);
  }

  /** Of what the agent says, its last words count. */
  answered(text: string, at: string): void {
    const words = clean(text);
    if (words.trim() !== '') this.message = { kind: 'message', at, text: words };
  }

  called(id: string, call: ToolCall): void {
    if (this.calls.size < MOST_OPEN_CALLS) this.calls.set(id, call);
  }

  returned(id: string, result: ToolResult, at: string): void {
    const call = this.calls.get(id);
    if (!call) return;
    this.calls.delete(id);
    const place = { ...this.place, cwd: this.cwd ?? this.place.root };
    const outcome = outcomeOf(call, toolSteps(call, place), result);
    if (!outcome) return;
    const { kind, ok, detail, touched } = outcome;
    const entry = {
      at,
      text: clean(outcome.text),
      ...(ok !== null && { ok }),
      ...(detail !== null && { detail: clean(detail) }),
    };
    push(this.others, { ...entry, kind }, MOST_ENTRIES / 2);
    if (kind === 'command') {
      for (const path of touched.slice(0, 20))
        push(this.others, { kind: 'file', at, text: path }, MOST_ENTRIES / 2);
    }
  }

  done(): Transcript | undefined {
    const entries = [...this.prompts, ...this.others, ...(this.message ? [this.message] : [])];
    if (this.session === undefined || this.prompts.length + this.others.length === 0) return undefined;
    entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    return { client: this.client, session: this.session, cwd: this.cwd, entries };
  }
}

function clean(text: string): string {
  return (withoutPrivate(text) as string).slice(0, MOST_TEXT);
}

/** The newest stay. */
function push(list: TranscriptEntry[], entry: TranscriptEntry, most: number): void {
  list.push(entry);
  if (list.length > most) list.shift();
}
