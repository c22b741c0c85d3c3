import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { activeRepoDecisions } from '../decisions/rules.ts';
import { deliveryErrors, refusalError } from '../errors.ts';
import { currentGate } from '../gates/current-gate.ts';
import { tryParse } from '../parse.ts';
import { flushAll, replaceUnflushed } from '../repository/files.ts';
import { bundleDir, stagingPath, within } from '../repository/paths.ts';
import { documentText, type LockedRepository, type RunRepository } from '../repository/repository.ts';
import type { ActiveTurn } from '../run-state.ts';
import { instructionsFor } from './instructions.ts';
import { assignmentDocument, contextText } from './rules/bundle.ts';
import {
  type BundleFiles,
  MANIFEST_FILE,
  type Manifest,
  sealManifest,
  verifyManifest,
} from './rules/manifest.ts';
import { promptText } from './rules/prompt.ts';

export interface BundleExtras {
  readonly warnings?: readonly string[];
  /** Extra files, such as what a coordinator knows about other repositories. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Writes what the agent will read. Sealing is a separate step, because hooks may add files in between. */
export async function writeBundle(
  { root, hasher, snapshot }: LockedRepository,
  turn: ActiveTurn,
  more: BundleExtras = {},
): Promise<void> {
  const { state, config } = snapshot;
  const directory = within(root, bundleDir(turn.turn_id));
  const staging = stagingPath(turn.turn_id);
  const gate = await currentGate({ root, hasher }, snapshot);
  const instructions = await instructionsFor(root, config, turn.assigned_role);
  await rm(directory, { recursive: true, force: true });
  const files = {
    'ASSIGNMENT.json': documentText(assignmentDocument(state, config, turn, staging, more.warnings)),
    'PROMPT.md': promptText({
      state,
      config,
      turn,
      stagingPath: staging,
      ledger: snapshot.ledger,
      gate,
      ...(instructions !== undefined && { instructions }),
    }),
    'CONTEXT.md': contextText(state, snapshot.history, activeRepoDecisions(snapshot.repoDecisions)),
    ...more.files,
  };
  await mkdir(directory, { recursive: true });
  // Nothing is promised of them before they are sealed.
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
}

/** Returns the manifest and its digest, by which it is known again. */
export async function sealBundle(
  repository: LockedRepository,
  turn: ActiveTurn,
): Promise<{ readonly manifest: Manifest; readonly digest: string }> {
  const directory = within(repository.root, bundleDir(turn.turn_id));
  const files = await readBundle(directory);
  const sealed = sealManifest(
    files,
    { runId: turn.run_id ?? '', turnId: turn.turn_id, role: turn.assigned_role },
    repository.clock.now(),
    repository.hasher,
  );
  if (!sealed.ok) throw refusalError(sealed.refusal);
  const text = documentText(sealed.value);
  const noted = new Set([...files.keys()].map((path) => join(directory, path)));
  await replaceUnflushed(join(directory, MANIFEST_FILE), text, noted);
  await flushAll(noted);
  return { manifest: sealed.value, digest: repository.hasher.hex(new TextEncoder().encode(text)) };
}

/** Throws unless the bundle is exactly as it was sealed. */
export async function requireSealed(
  repository: RunRepository,
  turnId: string,
  /** Of the manifest as it was sealed, where that is known. */
  digest?: string,
): Promise<Manifest> {
  const files = await readBundle(within(repository.root, bundleDir(turnId)));
  const text = files.get(MANIFEST_FILE);
  if (digest && text !== undefined && repository.hasher.hex(text) !== digest)
    throw deliveryErrors.bundle_tampered({ details: { turn_id: turnId, faults: [{ path: MANIFEST_FILE }] } });
  const report = verifyManifest(
    text === undefined ? undefined : (tryParse(text) ?? null),
    files,
    repository.hasher,
  );
  if (report.manifest !== null && report.faults.length === 0) return report.manifest;
  throw deliveryErrors.bundle_tampered({
    message: report.faults.map((fault) => fault.detail).join(' '),
    details: { turn_id: turnId, faults: report.faults },
  });
}

/** Every regular file of a bundle, including subdirectories. A symbolic link counts as a link, not as its target. */
async function readBundle(directory: string): Promise<BundleFiles> {
  const files = new Map<string, Uint8Array>();
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  for (const name of names.sort()) {
    const file = join(directory, name);
    const info = await lstat(file);
    const path = relative(directory, file).split(sep).join('/');
    if (info.isFile()) files.set(path, await readFile(file));
    else if (info.isSymbolicLink()) files.set(path, new TextEncoder().encode(`symbolic link: ${path}`));
  }
  return files;
}
