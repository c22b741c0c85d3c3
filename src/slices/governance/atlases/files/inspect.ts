import { nodeHasher } from '../../../../platform/node-hasher.ts';
import { governanceErrors } from '../../errors.ts';
import { compilePolicies } from '../../policies/rules/compile.ts';
import { type Analysis, analyze } from '../analysis/analyze.ts';
import { type AtlasDiff, diffAtlases } from '../analysis/atlas-diff.ts';
import { formatAtlasReference } from '../rules/atlas.ts';
import { withInlineFiles } from '../rules/context-files.ts';
import { type AdapterName, type AdapterSettings, type Emitted, emitTools } from '../rules/emit-tools.ts';
import type { Finding } from '../rules/lint.ts';
import type { ManifestMode } from '../rules/parse.ts';
import type { AtlasManifest } from '../schema.ts';
import { readAtlas, requireAtlas } from './read.ts';

export interface LintResult {
  readonly loadable: boolean;
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
}

/** `baton atlas lint PATH` */
export async function lintAtlas(path: string, mode: ManifestMode = 'strict'): Promise<LintResult> {
  const { atlas, findings, warnings } = await readAtlas(path, { hasher: nodeHasher, mode });
  return { loadable: atlas !== undefined, findings, warnings };
}

/** `baton atlas validate PATH`: only what the schema says. */
export async function validateAtlas(
  path: string,
): Promise<{ readonly valid: boolean; readonly findings: readonly Finding[] }> {
  const { findings } = await readAtlas(path, { hasher: nodeHasher });
  const wrong = findings.filter(({ code }) => code === 'schema');
  return { valid: wrong.length === 0, findings: wrong };
}

/** `baton atlas analyze PATH` */
export async function analyzeAtlas(path: string): Promise<Analysis> {
  const atlas = await requireAtlas(path, { hasher: nodeHasher });
  return analyze(compilePolicies([{ atlas, mode: 'enforce' }]));
}

/** `baton atlas diff OLD NEW` */
export async function diffAtlasPaths(from: string, to: string): Promise<AtlasDiff> {
  return diffAtlases(
    await requireAtlas(from, { hasher: nodeHasher }),
    await requireAtlas(to, { hasher: nodeHasher }),
  );
}

export interface AtlasInfo {
  readonly reference: string;
  readonly name: string;
  readonly description: string;
  readonly digest: string;
  readonly actions: readonly string[];
  readonly policies: readonly string[];
  readonly capabilities: readonly string[];
  readonly context_packs: readonly string[];
  readonly files: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
}

/** `baton atlas info PATH` */
export async function atlasInfo(path: string): Promise<AtlasInfo> {
  const { manifest, digest, files } = await requireAtlas(path, { hasher: nodeHasher });
  return {
    reference: formatAtlasReference({ atlasId: manifest.atlas_id, version: manifest.version }),
    name: manifest.name,
    description: manifest.description,
    digest,
    actions: (manifest.actions ?? []).map((each) => each.action_id),
    policies: (manifest.policies ?? []).map((each) => each.policy_id),
    capabilities: (manifest.capabilities ?? []).map((each) => each.capability_id),
    context_packs: (manifest.context_packs ?? []).map((each) => each.pack_id),
    files: [...files.keys()].sort(),
    dependencies: manifest.dependencies ?? {},
  };
}

/** `baton atlas emit openai|anthropic|mcp PATH`: the actions as tools, with the action of each tool name. */
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

/** What `baton atlas load PATH` posts: the whole directory as one manifest. */
export async function atlasToLoad(path: string): Promise<AtlasManifest> {
  const atlas = await requireAtlas(path, { hasher: nodeHasher });
  return withInlineFiles(atlas.manifest, atlas.files);
}
