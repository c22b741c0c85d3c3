import { formatMillis } from '../../../kernel/instant.ts';
import { unboundDocuments } from '../gates/rules/binding.ts';
import { allGateFiles } from '../gates/rules/predicates.ts';
import { gitHome } from '../repository/git-home.ts';
import { adoptGit, commitsOutside } from '../repository/git-pins.ts';
import { readRecord, vouchFor } from '../repository/keep.ts';
import { changesOutside, noteFinding, pin, restore } from '../repository/reconcile.ts';
import type { RunRepository } from '../repository/repository.ts';
import { hashes } from '../turns/observe.ts';
import { requireCredential } from './attachment.ts';

export interface AdoptOptions {
  readonly by: string;
  readonly credentialed?: boolean;
}

export interface Adopted {
  /** Governed files taken over as they are, and what decides what git does. */
  readonly files: readonly string[];
  /** Gate documents that count for this run from now on. */
  readonly documents: readonly string[];
  readonly commits: readonly string[];
  readonly next: string;
}

/** A person vouches for what others did: to governed files, to gate documents outside any turn, on the branch. */
export async function adoptChanges(repository: RunRepository, options: AdoptOptions): Promise<Adopted> {
  await requireCredential(repository, options.credentialed);
  const { keep, root } = repository;
  const at = formatMillis(repository.clock.now());
  const files = await repository.asTheyAre(async () => {
    const changed = await changesOutside(root, keep, await readRecord(keep));
    if (changed.length === 0) return [];
    await pin(root, keep, changed);
    await noteFinding(keep, { at, kind: 'adopted', paths: changed, turns: [], by: options.by });
    return changed;
  });
  return repository.exclusively(async (locked) => {
    const { config, state, history, ledger } = locked.snapshot;
    const now = await hashes(locked, allGateFiles(config));
    const unbound = [...unboundDocuments(now, history, ledger, state.run_id).keys()];
    if (unbound.length > 0 && state.run_id !== null) {
      const documents = Object.fromEntries(unbound.map((path) => [path, now[path]]));
      const row = {
        decision: 'documents_adopted',
        run_id: state.run_id,
        documents,
        by: options.by,
        created_at: at,
      };
      await locked.write({ kind: 'adopt', ledger: [row] });
    }
    const home = await gitHome(root);
    const commits = home === undefined ? [] : await commitsOutside(root, keep, home);
    if (home !== undefined && commits.length > 0) {
      await vouchFor(keep, [...commits, home.head]);
      await noteFinding(keep, { at, kind: 'commits', paths: commits, turns: [], by: options.by });
    }
    const around = home === undefined ? [] : await adoptGit(keep, home, locked.hasher);
    if (around.length > 0)
      await noteFinding(keep, { at, kind: 'adopted', paths: around, turns: [], by: options.by });
    return { files: [...files, ...around], documents: unbound, commits, next: 'baton run status' };
  });
}

/** Puts governed files back as Baton last wrote them. What was there is kept aside; says where. */
export async function restoreFiles(
  repository: RunRepository,
): Promise<{ readonly files: readonly string[]; readonly saved: string | null; readonly next: string }> {
  const { keep, root } = repository;
  const at = formatMillis(repository.clock.now());
  return repository.asTheyAre(async () => {
    const files = await changesOutside(root, keep, await readRecord(keep));
    const saved = files.length === 0 ? null : await restore(root, keep, files, at);
    if (saved !== null) await noteFinding(keep, { at, kind: 'restored', paths: files, turns: [], saved });
    return { files, saved, next: 'baton run status' };
  });
}
