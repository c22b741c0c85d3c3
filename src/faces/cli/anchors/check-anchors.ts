import { join } from 'node:path';
import { blobIdOf } from './blob-id.ts';
import { originOf, repositoryAround } from './repository.ts';

/** As `context.anchors` lists it. */
export interface Anchored {
  readonly path: string;
  readonly blob: string;
  readonly repo?: string | null;
  readonly kind: 'package' | 'fact';
  readonly id: string;
  readonly about: string;
  readonly by: { readonly id: string; readonly type: string } | null;
  readonly at: string;
}

/** `elsewhere`: the anchor names another repository than the one that was looked at. */
export type AnchorState = 'same' | 'changed' | 'gone' | 'elsewhere';

export interface CheckedAnchor extends Anchored {
  readonly state: AnchorState;
}

/**
 * Compares with the files of the repository around a folder. Undefined if there is no repository, or none of the
 * files: the project is about another one then, and to call everything gone would be noise.
 */
export async function checkAnchors(
  folder: string,
  anchors: readonly Anchored[],
): Promise<CheckedAnchor[] | undefined> {
  const root = repositoryAround(folder);
  if (root === undefined) return undefined;
  const origin = anchors.some(({ repo }) => repo) ? await originOf(root) : undefined;
  const checked: CheckedAnchor[] = [];
  for (const anchor of anchors) checked.push({ ...anchor, state: await stateOf(root, origin, anchor) });
  const isAbout =
    checked.length === 0 || checked.some(({ state }) => state === 'same' || state === 'changed');
  return isAbout ? checked : undefined;
}

async function stateOf(root: string, origin: string | undefined, anchor: Anchored): Promise<AnchorState> {
  if (anchor.repo && anchor.repo !== origin) return 'elsewhere';
  const format = anchor.blob.length === 64 ? 'sha256' : 'sha1';
  // A file that cannot be read is reported as gone.
  const now = await blobIdOf(join(root, anchor.path), format).catch(() => undefined);
  if (now === undefined) return 'gone';
  return now === anchor.blob ? 'same' : 'changed';
}
