import type { Hasher } from '../../../kernel/hasher.ts';
import { schemaProblem } from '../execution/parameter-check.ts';
import { type Atlas, atlasOf } from './rules/atlas.ts';
import { takeInlineFiles } from './rules/context-files.ts';
import { type Finding, finding, lintManifest } from './rules/lint.ts';
import type { ParsedManifest } from './rules/parse.ts';

export interface CheckedAtlas {
  /** Undefined where a finding is an error. */
  readonly atlas: Atlas | undefined;
  readonly findings: readonly Finding[];
}

const NO_FILES: ReadonlyMap<string, string> = new Map();

/** Everything that can be said of an Atlas by itself; `files` are those of its directory, if it has one. */
export function checkManifest(parsed: ParsedManifest, hasher: Hasher, files = NO_FILES): CheckedAtlas {
  if (!parsed.ok) {
    const findings = parsed.issues.map(({ message, pointer }) => ({
      ...finding('schema', [], message),
      pointer,
    }));
    return { atlas: undefined, findings };
  }
  const carried = takeInlineFiles(parsed.manifest);
  const all = new Map([...carried.files, ...files]);
  const { manifest, problem } = carried;
  const findings = [
    ...(problem ? [{ ...finding('path_escape', [], problem.message), pointer: problem.pointer }] : []),
    ...lintManifest(manifest, {
      files: new Set(all.keys()),
      schemaProblem,
      lenient: parsed.mode === 'lenient',
    }),
  ];
  const wrong = findings.some(({ severity }) => severity === 'error');
  const content = { manifest, files: all, blocks: parsed.blocks };
  return { atlas: wrong ? undefined : atlasOf(hasher, content), findings };
}
