import { type Issue, issuesOf } from '../../issues.ts';
import { type AtlasManifest, atlasManifestSchema } from '../schema.ts';
import type { InlineBlock } from './atlas.ts';
import { relaxManifest } from './lenient.ts';

export type ManifestMode = 'strict' | 'lenient';

export type ParsedManifest =
  | {
      readonly ok: true;
      readonly manifest: AtlasManifest;
      readonly blocks: readonly InlineBlock[];
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** `value` is plain JSON, as `toPlain` gives it. */
export function parseManifest(value: unknown, mode: ManifestMode = 'strict'): ParsedManifest {
  const relaxed =
    mode === 'lenient' ? relaxManifest(value) : { manifest: value, blocks: [], warnings: [] as string[] };
  const parsed = atlasManifestSchema.safeParse(relaxed.manifest);
  if (!parsed.success) return { ok: false, issues: issuesOf(parsed.error) };
  return { ok: true, manifest: parsed.data, blocks: relaxed.blocks, warnings: relaxed.warnings };
}
