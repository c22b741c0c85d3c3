import { canSeeProject, requireProject } from '../identity/access.ts';
import type { Principal } from '../identity/principal.ts';
import type { Provenance, Thing } from '../journal/provenance.ts';
import type { Reader } from '../storage/database.ts';
import { whyErrors } from './errors.ts';
import { createLookUp } from './look-up.ts';
import { walkBack } from './rules/walk.ts';
import type { Explanation } from './schema.ts';
import { selectCalled, selectEvent } from './store.ts';

const DEFAULT_DEPTH = 6;
const MOST_NODES = 80;

export interface Question {
  readonly id: string;
  readonly kind?: string | undefined;
  readonly project?: string | undefined;
  readonly depth?: number | undefined;
}

/** Finds the subject: in the named project, else the caller's own, else any other that they can see. */
export async function findSubject(
  reader: Reader,
  provenances: readonly Provenance[],
  principal: Principal,
  { id, kind, project }: Question,
): Promise<Thing & { readonly projectId: string }> {
  if (project !== undefined) requireProject(principal, project);
  const visible = (projectId: string) =>
    project === undefined ? canSeeProject(principal, projectId) : projectId === project;
  const called = (await selectCalled(reader, id)).filter(
    (found) => visible(found.project_id) && (kind === undefined || found.kind === kind),
  );
  const chosen = called.find(({ project_id }) => project_id === principal.defaultProject) ?? called[0];
  if (chosen) return { kind: chosen.kind, id, projectId: chosen.project_id };
  const event = kind === undefined || kind === 'event' ? await selectEvent(reader, id) : undefined;
  if (event && visible(event.projectId)) return { kind: 'event', id, projectId: event.projectId };
  const projects = project === undefined ? principal.projects : [project];
  for (const provenance of provenances) {
    const found = await provenance.find?.(reader, projects, id);
    if (found && (kind === undefined || found.kind === kind)) return found;
  }
  throw whyErrors.nothing_known();
}

export async function explain(
  reader: Reader,
  provenances: readonly Provenance[],
  principal: Principal,
  question: Question,
): Promise<Explanation> {
  const { kind, id, projectId } = await findSubject(reader, provenances, principal, question);
  const lookUp = createLookUp(reader, provenances, projectId);
  const graph = await walkBack({ kind, id }, lookUp, {
    depth: question.depth ?? DEFAULT_DEPTH,
    nodes: MOST_NODES,
  });
  return {
    project_id: projectId,
    kind,
    id,
    nodes: graph.nodes.map((node) => ({
      kind: node.kind,
      id: node.id,
      steps: node.steps.map(({ leaf, eventId, hash, type, at, actorId, pruned, account }) => ({
        leaf,
        event_id: eventId,
        event_hash: hash,
        type,
        at,
        by: actorId,
        words: account.words,
        ...(pruned && { pruned: true as const }),
      })),
      cut: node.cut,
    })),
    links: graph.links.map((link) => ({ ...link })),
  };
}
