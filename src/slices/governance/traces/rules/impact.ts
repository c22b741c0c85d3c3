import type { Atlas } from '../../atlases/rules/atlas.ts';
import type { CompiledAction, PolicySet } from '../../policies/rules/compile.ts';
import { decide } from '../../policies/rules/decide.ts';
import { decisionInputOf } from '../../resolution/rules/input.ts';
import type { RecordedInput } from '../schema.ts';
import { inputOfRecord, policySets, setKey } from './replay.ts';

export interface ChangedDecision {
  readonly session_id: string;
  readonly request_id: string;
  readonly agent_id: string;
  readonly action_id: string;
  readonly before: { readonly effect: string; readonly policy_id: string } | null;
  readonly after: { readonly effect: string; readonly policy_id: string } | null;
}

export interface Impact {
  readonly requests: number;
  readonly decisions: number;
  readonly skipped: number;
  readonly changed: readonly ChangedDecision[];
}

/** Decides recorded requests again with a new Atlas in place of the old one, and lists what would change. */
export function traceImpact(
  inputs: Iterable<RecordedInput>,
  atlasByDigest: (digest: string) => Atlas | undefined,
  next: Atlas,
): Impact {
  const before = policySets();
  const after = policySets();
  const changed: ChangedDecision[] = [];
  let requests = 0;
  let decisions = 0;
  let skipped = 0;
  for (const record of inputs) {
    const concerned = record.atlases.some(({ atlas_id }) => atlas_id === next.manifest.atlas_id);
    if (!concerned || record.atlases.some(({ digest }) => !atlasByDigest(digest))) {
      skipped += 1;
      continue;
    }
    requests += 1;
    const key = setKey(record);
    const load = (replace: boolean) =>
      record.atlases.map(({ atlas_id, digest, mode }) => ({
        atlas: replace && atlas_id === next.manifest.atlas_id ? next : (atlasByDigest(digest) as Atlas),
        mode,
      }));
    const old = before(key, () => load(false));
    const fresh = after(key, () => load(true));
    const input = decisionInputOf(inputOfRecord(record));
    for (const actionId of new Set([...old.actionIds, ...fresh.actionIds])) {
      decisions += 1;
      const was = verdictOn(old, actionId);
      const is = verdictOn(fresh, actionId);
      if (was?.effect === is?.effect) continue;
      changed.push({
        session_id: record.session_id,
        request_id: record.request_id,
        agent_id: record.agent_id,
        action_id: actionId,
        before: was,
        after: is,
      });
    }

    function verdictOn(set: PolicySet, actionId: string) {
      const action: CompiledAction | undefined = set.action(actionId);
      if (!action) return null;
      const { effect, policyId } = decide(action, input);
      return { effect, policy_id: policyId };
    }
  }
  return { requests, decisions, skipped, changed };
}
