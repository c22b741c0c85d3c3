import { named } from '../../../kernel/quoted.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { boundTo, callForAgent, type FlatInput, type McpDeps } from '../call.ts';
import { mcpErrors } from '../errors.ts';
import { type ResourceRef, readResourceUri, writeResourceUri } from './resource-uri.ts';

interface Kind {
  readonly template: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  /** The operation that is asked: its scope, its refusals and its words are the resource's. */
  readonly operation: string;
}

const MOST_FACTS = 200;

export const KINDS: Readonly<Record<ResourceRef['kind'], Kind>> = {
  project: {
    template: 'agp://project/{project_id}',
    name: 'orientation',
    description: 'What one needs to know to go on with the project, others quoted as others.',
    mimeType: 'text/markdown',
    operation: 'context.orient',
  },
  facts: {
    template: 'agp://project/{project_id}/facts',
    name: 'facts',
    description: `What is true in the project now: the newest ${MOST_FACTS} facts.`,
    mimeType: 'application/json',
    operation: 'facts.list',
  },
  package: {
    template: 'agp://project/{project_id}/package/{package_id}',
    name: 'package',
    description: 'One package, as its author deposited it and with its status of now.',
    mimeType: 'application/json',
    operation: 'packages.get_in',
  },
};

const PROJECTS_AT_ONCE = 100;

export function requireResource(uri: string): ResourceRef {
  const ref = readResourceUri(uri);
  if (!ref) throw mcpErrors.resource_not_found({ details: { uri } });
  return ref;
}

export function resourceTemplates() {
  return Object.values(KINDS).map(({ template, name, description, mimeType }) => ({
    uriTemplate: template,
    name,
    description,
    mimeType,
  }));
}

/** Two for each project that the caller can see; packages are too many to list, and searched for instead. */
export async function listResources(
  services: McpDeps,
  principal: Principal,
  cursor: string | undefined,
  signal: AbortSignal,
) {
  const input = { limit: PROJECTS_AT_ONCE, ...(cursor !== undefined && { after: cursor }) };
  const text = await callForAgent(services, boundTo(services, 'projects.list'), {
    principal,
    input,
    signal,
    asResource: true,
  });
  const projects = JSON.parse(text) as { project_id: string }[];
  const last = projects.length === PROJECTS_AT_ONCE ? projects.at(-1)?.project_id : undefined;
  return {
    resources: projects.flatMap(({ project_id: projectId }) =>
      (['project', 'facts'] as const).map((kind) => ({
        uri: writeResourceUri({ kind, projectId }),
        name: `${named(projectId)} ${KINDS[kind].name}`,
        description: KINDS[kind].description,
        mimeType: KINDS[kind].mimeType,
      })),
    ),
    ...(last !== undefined && { nextCursor: last }),
  };
}

export async function readResource(
  services: McpDeps,
  principal: Principal,
  uri: string,
  signal: AbortSignal,
) {
  const ref = requireResource(uri);
  const { operation, mimeType } = KINDS[ref.kind];
  const given = { principal, input: inputFor(ref), signal, asResource: true } as const;
  return { uri, mimeType, text: await callForAgent(services, boundTo(services, operation), given) };
}

function inputFor(ref: ResourceRef): FlatInput {
  if (ref.kind === 'project') return { project_id: ref.projectId, format: 'text' };
  if (ref.kind === 'facts') return { project_id: ref.projectId, limit: MOST_FACTS };
  return { project_id: ref.projectId, package_id: ref.packageId };
}
