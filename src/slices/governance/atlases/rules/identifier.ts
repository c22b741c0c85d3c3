import { ATLAS_ID, SEMVER } from '../../schema.ts';

/** `atlas://<atlas_id>[@version][/path]` */
export interface AtlasReference {
  readonly atlasId: string;
  readonly version?: string;
  readonly path?: string;
}

export type CraKind = 'session' | 'trace' | 'resolution' | 'approval';

/** `cra://session/{id}` and its kin. */
export interface CraReference {
  readonly kind: CraKind;
  readonly id: string;
}

export function parseAtlasReference(text: string): AtlasReference | undefined {
  const match = /^atlas:\/\/([^@/]+)(?:@([^/]+))?(?:\/(.+))?$/.exec(text);
  const [, atlasId, version, path] = match ?? [];
  if (atlasId === undefined || !ATLAS_ID.test(atlasId)) return undefined;
  if (version !== undefined && !SEMVER.test(version)) return undefined;
  return { atlasId, ...(version !== undefined && { version }), ...(path !== undefined && { path }) };
}

export function formatAtlasReference(reference: AtlasReference): string {
  const version = reference.version === undefined ? '' : `@${reference.version}`;
  return `atlas://${reference.atlasId}${version}${reference.path === undefined ? '' : `/${reference.path}`}`;
}

export function parseCraReference(text: string): CraReference | undefined {
  const match = /^cra:\/\/(session|trace|resolution|approval)\/([\w-]+)$/.exec(text);
  return match === null ? undefined : { kind: match[1] as CraKind, id: match[2] as string };
}

export function formatCraReference(reference: CraReference): string {
  return `cra://${reference.kind}/${reference.id}`;
}
