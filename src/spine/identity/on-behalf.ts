import type { Actor, Principal } from './principal.ts';

/** On whose behalf, and in which project, one slice calls another. */
export interface Behalf {
  readonly projectId: string;
  readonly actor: Actor;
  /** Whom it may name as the speaker besides itself; nobody by default. */
  readonly speaksFor?: readonly string[];
}

/** The principal of a call from inside the process: that actor in that project, with no scope that anybody granted. */
export function insider({ actor, projectId, speaksFor = [] }: Behalf): Principal {
  return {
    actor,
    scopes: new Set(),
    projects: [projectId],
    defaultProject: projectId,
    credential: { kind: 'key', id: 'in-process' },
    owner: false,
    speaksFor,
    present: false,
  };
}
