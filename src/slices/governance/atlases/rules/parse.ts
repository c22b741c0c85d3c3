import { asList, isRecord } from '../../../../kernel/json/loose.ts';
import { type Issue, issuesOf } from '../../schema.ts';
import { type AtlasManifest, atlasManifestSchema } from '../schema.ts';
import type { InlineBlock } from './atlas.ts';
import { relaxManifest } from './lenient.ts';

export type ManifestMode = 'strict' | 'lenient';

export type ParsedManifest =
  | {
      readonly ok: true;
      readonly mode: ManifestMode;
      readonly manifest: AtlasManifest;
      readonly blocks: readonly InlineBlock[];
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** `value` is plain JSON, as `toPlain` gives it. */
export function parseManifest(value: unknown, mode: ManifestMode = 'strict'): ParsedManifest {
  const written = withoutSchemaName(value);
  const relaxed =
    mode === 'lenient' ? relaxManifest(written) : { manifest: written, blocks: [], warnings: [] as string[] };
  const parsed = atlasManifestSchema.safeParse(relaxed.manifest);
  if (!parsed.success) return { ok: false, issues: issuesOf(parsed.error) };
  return { ok: true, mode, manifest: parsed.data, blocks: relaxed.blocks, warnings: relaxed.warnings };
}

/** `$schema` tells an editor how to help and says nothing of the Atlas. */
function withoutSchemaName(value: unknown): unknown {
  if (!isRecord(value) || typeof value.$schema !== 'string') return value;
  const { $schema, ...rest } = value;
  return rest;
}

/** A file of `policies/` or `actions/`: one object or an array of them. */
export interface PartFile {
  readonly path: string;
  readonly value: unknown;
}

/** Appends the files of `policies/` and `actions/`, sorted by name, to the lists of the manifest. */
export function mergeParts(
  manifest: unknown,
  parts: { readonly policies: readonly PartFile[]; readonly actions: readonly PartFile[] },
): unknown {
  if (!isRecord(manifest)) return manifest;
  const merged: Record<string, unknown> = { ...manifest };
  for (const member of ['policies', 'actions'] as const) {
    const files = [...parts[member]].sort((a, b) => (a.path < b.path ? -1 : 1));
    const added = files.flatMap(({ value }) => (Array.isArray(value) ? value : [value]));
    if (added.length === 0) continue;
    merged[member] = [...asList(merged[member]), ...added];
  }
  return merged;
}
