/** The port through which rooms tell where things came from: `why/` asks it, nobody else. */
import type { Json, JsonObject } from '../../kernel/json/value.ts';
import type { Reader } from '../storage/database.ts';

/** Whatever an event or a row speaks of: a package, a fact, a resolution, an item, a memory, a turn. */
export interface Thing {
  readonly kind: string;
  readonly id: string;
}

/** What something rests on, and in which way: `rule`, `parent`, `approval`. Kind `any`: whatever has this id. */
export interface Source extends Thing {
  readonly as: string;
}

/** What one event says. Ids and states only, never texts: it is kept where nothing can be erased or sealed. */
export interface Account {
  /** What happened, as a person would say it. */
  readonly words: string;
  /** What it made or changed. */
  readonly about: readonly Thing[];
  /** What it rests on. */
  readonly from: readonly Source[];
  /** Who did it, where that is another than the actor of the session. */
  readonly by?: string;
  /** Something was handed to an agent: what is in `from`, the agent knew from here on. */
  readonly reading?: boolean;
}

interface ProvenanceEvent {
  readonly event_type: string;
  /** Of the Session, whichever of its chains the event stands in. */
  readonly sessionId: string;
  readonly span_id: string;
  readonly payload: JsonObject;
}

export interface Provenance {
  /** Undefined for events of others, and for those that explain nothing. */
  account(event: ProvenanceEvent): Account | undefined;
  /** What rows know of a thing and no event says. */
  sources?(reader: Reader, projectId: string, thing: Thing): Promise<readonly Source[]>;
  /** A thing that no event is about, in one of these projects. */
  find?(
    reader: Reader,
    projects: 'all' | readonly string[],
    id: string,
  ): Promise<(Thing & { readonly projectId: string }) | undefined>;
}

/** The thing of that id, where there is one. */
export function thing(kind: string, id: Json | undefined): Thing[] {
  return typeof id === 'string' && id !== '' ? [{ kind, id }] : [];
}

export function source(as: string, kind: string, id: Json | undefined): Source[] {
  return thing(kind, id).map((found) => ({ ...found, as }));
}

/** `by` of an account, where the payload names somebody. */
export function by(actor: Json | undefined): { readonly by?: string } {
  return typeof actor === 'string' && actor !== '' ? { by: actor } : {};
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
