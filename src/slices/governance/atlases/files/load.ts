import { nodeHasher } from '../../../../platform/node-hasher.ts';
import { withInlineFiles } from '../rules/inline-files.ts';
import type { AtlasManifest } from '../schema.ts';
import { requireAtlas } from './read.ts';

/** What `baton atlas load PATH` posts: the whole directory as one manifest. */
export async function atlasToLoad(path: string): Promise<AtlasManifest> {
  const atlas = await requireAtlas(path, { hasher: nodeHasher });
  return withInlineFiles(atlas.manifest, atlas.files);
}
