import { readDocument } from '../kernel/json/reader.ts';
import type { Principal } from '../spine/identity/principal.ts';
import type { Behalf } from './offers.ts';

/** Who a slice is when it acts for somebody: that actor in that project, with no scope that anybody granted. */
export function insider({ actor, projectId }: Behalf): Principal {
  return {
    actor,
    scopes: new Set(),
    projects: [projectId],
    defaultProject: projectId,
    credential: { kind: 'key', id: 'in-process' },
    present: false,
  };
}

/** The rest of a call that comes from no face. */
export function insideCall(by: Behalf, body: object) {
  return {
    document: readDocument(JSON.stringify(body)),
    principal: insider(by),
    requestId: 'in-process',
    signal: new AbortController().signal,
  };
}
