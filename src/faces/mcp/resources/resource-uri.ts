import { decodedPath } from '../../../kernel/decoded-path.ts';

/** `agp://project/{project_id}`, and under it `/facts` and `/package/{package_id}`; ids are percent-encoded. */
export type ResourceRef =
  | { readonly kind: 'project'; readonly projectId: string }
  | { readonly kind: 'facts'; readonly projectId: string }
  | { readonly kind: 'package'; readonly projectId: string; readonly packageId: string };

const ROOT = 'agp://project/';

export function writeResourceUri(ref: ResourceRef): string {
  const project = `${ROOT}${encodeURIComponent(ref.projectId)}`;
  if (ref.kind === 'project') return project;
  if (ref.kind === 'facts') return `${project}/facts`;
  return `${project}/package/${encodeURIComponent(ref.packageId)}`;
}

/** Undefined for whatever is none of ours. */
export function readResourceUri(uri: string): ResourceRef | undefined {
  if (!uri.startsWith(ROOT)) return undefined;
  const [projectId, kind, packageId, ...more] = uri
    .slice(ROOT.length)
    .split('/')
    .map((part) => decodedPath(part) ?? '');
  if (!projectId || more.length > 0) return undefined;
  if (kind === undefined) return { kind: 'project', projectId };
  if (kind === 'facts' && packageId === undefined) return { kind: 'facts', projectId };
  return kind === 'package' && packageId ? { kind: 'package', projectId, packageId } : undefined;
}
