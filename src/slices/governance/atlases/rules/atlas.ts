import { digestOf, formatDigest } from '../../../../kernel/digest.ts';
import type { Hasher } from '../../../../kernel/hasher.ts';
import { fromPlain } from '../../../../kernel/json/plain.ts';
import { ATLAS_ID, type RiskTier, SEMVER } from '../../schema.ts';
import type { AtlasManifest } from '../schema.ts';

/** An Atlas with everything that decisions need: pure data, whatever it was loaded from. */
export interface Atlas {
  readonly manifest: AtlasManifest;
  /** Context written into the manifest itself: an extension that only the lenient mode accepts. */
  readonly blocks: readonly InlineBlock[];
  /** Context files by their path in the Atlas. */
  readonly files: ReadonlyMap<string, string>;
  /** `jcs-sha256:…` over manifest, blocks and files. */
  readonly digest: string;
}

export type AtlasMode = 'enforce' | 'log_only';

export interface InlineBlock {
  readonly contextId: string;
  readonly priority: number;
  readonly content: string;
  readonly contentType: string;
  readonly mode: 'always' | 'on_match' | 'on_demand' | 'risk_based';
  readonly keywords: readonly string[];
  readonly riskTiers: readonly RiskTier[];
  readonly alsoInject: readonly string[];
}

export interface AtlasContent {
  readonly manifest: AtlasManifest;
  readonly blocks?: readonly InlineBlock[];
  readonly files?: ReadonlyMap<string, string>;
}

/** Equal content has an equal digest, whatever order its files were read in. */
export function atlasOf(hasher: Hasher, content: AtlasContent): Atlas {
  const blocks = content.blocks ?? [];
  const files = content.files ?? new Map<string, string>();
  const hashes = Object.fromEntries([...files].map(([path, text]) => [path, hasher.hex(text)]));
  const value = fromPlain({ manifest: content.manifest, blocks, files: hashes });
  return { manifest: content.manifest, blocks, files, digest: formatDigest(digestOf(hasher, 'jcs', value)) };
}

/** `atlas://<atlas_id>[@version][/path]` */
export interface AtlasReference {
  readonly atlasId: string;
  readonly version?: string;
  readonly path?: string;
}

export type CraKind = 'session' | 'trace' | 'resolution' | 'approval';

/** `cra://session/{id}` and the like. */
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
