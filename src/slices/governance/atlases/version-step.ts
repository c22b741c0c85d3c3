import type { Task } from '../../../platform/bounded-work/bounded-work.ts';
import { WorkNeeded } from '../../../platform/bounded-work/work-needed.ts';
import { diffAtlases } from './analysis/atlas-diff.ts';
import type { Atlas } from './rules/atlas.ts';

interface Versions {
  readonly from: Atlas;
  readonly to: Atlas;
}

/** Inside a unit: what is wrong with the new version's number, judged by what changes; undefined where nothing is. */
export type VersionStep = (from: Atlas, to: Atlas) => string | undefined;

/**
 * Compares what the two decide in up to thousands of cases an action, so even small Atlases take long enough to hold others
 * up. Returns an empty text where nothing is wrong, and where that cannot be told within the budget: it is advice.
 */
export const versionStepTask: Task<Versions, string> = {
  name: 'governance.atlas.version-step',
  run({ from, to }) {
    const { version_ok, required_bump, changes, decisions } = diffAtlases(from, to);
    if (version_ok) return '';
    const [decision] = decisions;
    const why = decision
      ? `${decision.action_id} goes from ${decision.before.effect} to ${decision.after.effect}`
      : changes.find(({ needs }) => needs === required_bump)?.message;
    return `${to.manifest.version} is too small a step from ${from.manifest.version} for a ${required_bump} change${why === undefined ? '' : `: ${why}`}`;
  },
};

/** More is not tried; `atlas diff` compares Atlases of any size. */
const COMPARED = 1_000;
const KEPT = 16;

export function createVersionStep(): VersionStep {
  const judged = new Map<string, string>();
  return (from, to) => {
    if (from.digest === to.digest || Math.max(size(from), size(to)) > COMPARED) return undefined;
    const key = `${from.digest} ${to.digest}`;
    const known = judged.get(key);
    if (known !== undefined) return known === '' ? undefined : known;
    const keep = (result: string) => {
      if (judged.size >= KEPT) judged.clear();
      judged.set(key, result);
    };
    throw new WorkNeeded(versionStepTask, { from, to }, keep, '');
  };
}

const size = ({ manifest: { actions = [], policies = [] } }: Atlas) => actions.length * policies.length;
