import { digestOf, formatDigest } from '../../../../kernel/digest.ts';
import type { Hasher } from '../../../../kernel/hasher.ts';
import { fromPlain } from '../../../../kernel/json/plain.ts';
import type { AtlasManifest } from '../schema.ts';
import type { Atlas, InlineBlock } from './atlas.ts';

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
