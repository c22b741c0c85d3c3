import { nodeHasher } from '../../../../platform/node-hasher.ts';
import { governanceErrors } from '../../errors.ts';
import { type AdapterName, type AdapterSettings, type Emitted, emitTools } from '../rules/emit-tools.ts';
import { readAtlas } from './read.ts';

/** `baton atlas emit openai|anthropic|mcp PATH`: the actions as tools, and the way back from their names. */
export async function emitAtlas(adapter: AdapterName, path: string): Promise<Emitted> {
  const { atlas, adapters } = await readAtlas(path, { hasher: nodeHasher });
  if (!atlas) throw governanceErrors.invalid_atlas_manifest();
  const own = atlas.manifest.adapters?.[adapter];
  const settings: AdapterSettings = { ...own?.settings, ...adapters[adapter] };
  return emitTools(
    adapter,
    own?.enabled === false ? [] : (atlas.manifest.actions ?? []),
    nodeHasher,
    settings,
  );
}
