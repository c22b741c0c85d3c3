import type { Hasher } from '../../../kernel/hasher.ts';
import { toPlain } from '../../../kernel/json/plain.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import type { Json } from '../../../kernel/json/value.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import type { Task } from '../../../platform/bounded-work/bounded-work.ts';
import { WorkNeeded } from '../../../platform/bounded-work/work-needed.ts';
import { nodeHasher } from '../../../platform/node-hasher.ts';
import { schemaCost } from '../execution/schema-cost.ts';
import { compilePolicies } from '../policies/rules/compile.ts';
import { type Analysis, analyze } from './analysis/analyze.ts';
import { type CheckedAtlas, checkManifest } from './check.ts';
import type { Atlas } from './rules/atlas.ts';
import { type ManifestMode, parseManifest } from './rules/parse.ts';

/** Inside a unit: everything that can be said of a manifest, or the work that has to be done first to know. */
export type CheckAtlas = (manifest: Json) => CheckedAtlas;

interface ManifestText {
  readonly text: string;
  readonly mode: ManifestMode;
}

export const checkAtlasTask: Task<ManifestText, CheckedAtlas> = {
  name: 'governance.atlas.check',
  run: ({ text, mode }) => checkManifest(parseManifest(toPlain(readJson(text)), mode), nodeHasher),
};

export const analyzeAtlasTask: Task<Atlas, Analysis> = {
  name: 'governance.atlas.analysis',
  run: (atlas) => analyze(compilePolicies([{ atlas, mode: 'enforce' }])),
};

const KEPT = 4;

export function createAtlasCheck(hasher: Hasher, mode: ManifestMode): CheckAtlas {
  const checked = new Map<string, CheckedAtlas>();
  return (manifest) => {
    if (isSmall(manifest)) return checkManifest(parseManifest(toPlain(manifest), mode), hasher);
    const text = writeJson(manifest);
    const digest = hasher.hex(text);
    const known = checked.get(digest);
    if (known) return known;
    throw new WorkNeeded(checkAtlasTask, { text, mode }, (result) => {
      if (checked.size >= KEPT) checked.clear();
      checked.set(digest, result);
    });
  };
}

/** All its schemas together, and all else: some tens of milliseconds at most. */
function isSmall(manifest: Json): boolean {
  return schemaCost({ manifest }).members <= 300 && textLength(manifest) <= SHORT_TEXTS;
}

const SHORT_TEXTS = 500_000;

/** Only asked of what has few members. */
function textLength(value: Json): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + textLength(inner as Json), 0);
}
