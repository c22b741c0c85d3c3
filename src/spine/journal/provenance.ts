/** The port through which rooms explain where things came from. Only `why/` calls it. */
import type { Json, JsonObject } from '../../kernel/json/value.ts';
import type { Principal } from '../identity/principal.ts';
import type { Reader } from '../storage/database.ts';
import type { RowKey } from './state/state-event.ts';

/** Anything an event or row is about: a package, a fact, a resolution, an item, a memory, a turn. */
export interface Thing {
  readonly kind: string;
  readonly id: string;
}

/** A cause of something, and its role: `rule`, `parent`, `approval`. Kind `any` means whatever has this id. */
export interface Source extends Thing {
  readonly as: string;
}

/** `to` relied on `of`. */
export interface Effect {
  readonly of: Thing;
  readonly to: Thing;
  readonly as: string;
}

/** What one event says. Ids and states only, never texts: it is kept where nothing can be erased or encrypted. */
export interface Account {
  /** What happened, in words. */
  readonly words: string;
  /** What it made or changed. */
  readonly about: readonly Thing[];
  /** Its causes. */
  readonly from: readonly Source[];
  /** Who did it, if not the actor of the session. */
  readonly by?: string;
  /** Something was given to an agent: from here on, it knew what is in `from`. */
  readonly reading?: boolean;
}

interface ProvenanceEvent {
  readonly event_type: string;
  /** The Session, whichever of its chains the event is on. */
  readonly sessionId: string;
  readonly span_id: string;
  readonly payload: JsonObject;
}

/** A row that holds a thing as it is now. */
export interface HeldRow {
  readonly table: string;
  readonly key: RowKey;
  /** Whether whoever asks could read it by other means. If not, it is proved by its digest alone. */
  readonly shown: boolean;
}

/** Whose rows are asked for, and by whom. */
export interface RowsAsked {
  readonly principal: Principal;
  readonly projectId: string;
  readonly thing: Thing;
}

export interface Provenance {
  /** Undefined for events of others, and for those that explain nothing. */
  account(event: ProvenanceEvent): Account | undefined;
  /** Causes that are only in rows, not in events. */
  sources?(reader: Reader, projectId: string, thing: Thing): Promise<readonly Source[]>;
  /** The other way round: what rests on these things, where that is only in rows, at most so many. */
  effects?(
    reader: Reader,
    projectId: string,
    things: readonly Thing[],
    limit: number,
  ): Promise<readonly Effect[]>;
  /** The rows that hold a thing: what an explanation rests on besides events. */
  rows?(reader: Reader, asked: RowsAsked): Promise<readonly HeldRow[]>;
  /** A thing that no event is about, in one of these projects. */
  find?(
    reader: Reader,
    projects: 'all' | readonly string[],
    id: string,
  ): Promise<(Thing & { readonly projectId: string }) | undefined>;
}

/** The thing with that id, if there is one. */
export function thing(kind: string, id: Json | undefined): Thing[] {
  return typeof id === 'string' && id !== '' ? [{ kind, id }] : [];
}

export function source(as: string, kind: string, id: Json | undefined): Source[] {
  return thing(kind, id).map((found) => ({ ...found, as }));
}

/** `by` of an account, if the payload names somebody. */
export function by(actor: Json | undefined): { readonly by?: string } {
  return typeof actor === 'string' && actor !== '' ? { by: actor } : {};
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
