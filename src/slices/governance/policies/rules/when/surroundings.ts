/** What a test may look at besides its own value: the whole call, the clock, and what the server knows by itself. */
import type { Micros } from '../../../../../kernel/clock.ts';

/** A fact of the project as it was when the decision was made. */
export interface KnownFact {
  readonly subject: string;
  readonly predicate: string;
  readonly factId: string;
  /** Of the fact as its author wrote it. */
  readonly digest: string;
  readonly by: { readonly id: string; readonly type: string };
  readonly value: string;
}

/** Which credential asks, and where: never taken from a request. */
export interface Asker {
  readonly actor: string;
  readonly actorType: string;
  readonly credential: string;
  readonly project: string;
}

export interface Surroundings {
  /** Undefined while they are not known. */
  readonly parameters: unknown;
  readonly now: Micros;
  readonly agentId?: string | undefined;
  readonly subagent?: string | undefined;
  readonly scopes?: ReadonlySet<string> | undefined;
  readonly asker?: Asker | undefined;
  readonly facts?: readonly KnownFact[] | undefined;
}

/** What stands behind `@` in a path, with the words of the reference. */
export const SERVER_VALUES = {
  agent: 'who answers for the call, as its credential proved it',
  subagent: 'the name that it gave to a subagent of its own; missing unless it is one',
  actor: 'whose credential it is',
  actor_type: '`human`, `agent` or `script`',
  credential:
    'the kind of credential: `key`, `owner`, `jwt`, `oauth`, `mtls`, `login`, `dashboard`, `signature`',
  project: 'the id of the project',
  scopes: 'the scopes of the credential, as an array',
} as const;

export type ServerValue = keyof typeof SERVER_VALUES;

export function serverValue(name: ServerValue, around: Surroundings): unknown {
  switch (name) {
    case 'agent':
      return around.agentId;
    case 'subagent':
      return around.subagent;
    case 'scopes':
      return around.scopes && [...around.scopes];
    case 'actor_type':
      return around.asker?.actorType;
    default:
      return around.asker?.[name];
  }
}
