import { type Issue, issuesOf } from '../../schema.ts';
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

/** One object or an array of them, as a file of `policies/` or `actions/` may hold. */
export interface PartFile {
  readonly path: string;
  readonly value: unknown;
}

/** Puts what stands in `policies/` and `actions/` behind what the manifest has itself; files in the order of their names. */
export function mergeParts(
  manifest: unknown,
  parts: { readonly policies: readonly PartFile[]; readonly actions: readonly PartFile[] },
): unknown {
  if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest)) return manifest;
  const merged: Record<string, unknown> = { ...manifest };
  for (const member of ['policies', 'actions'] as const) {
    const files = [...parts[member]].sort((a, b) => (a.path < b.path ? -1 : 1));
    const added = files.flatMap(({ value }) => (Array.isArray(value) ? value : [value]));
    if (added.length === 0) continue;
    const own = merged[member];
    merged[member] = [...(Array.isArray(own) ? own : []), ...added];
  }
  return merged;
}
