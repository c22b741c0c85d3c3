import { statusAt } from '../approvals/rules.ts';
import { type Approval, selectApproval } from '../approvals/store.ts';
import type { GovernanceDeps } from '../ports.ts';

export type Waited =
  | { readonly kind: 'approved' }
  | { readonly kind: 'refused'; readonly approval: Approval }
  | { readonly kind: 'nobody' };

/** Commits of others come in bursts; one look is enough for all of them. */
const LOOK_MS = 50;

/** Holds a call until all its approvals are given or one is refused, but no longer than this. */
export async function waitForApprovals(
  deps: GovernanceDeps,
  approvalIds: readonly string[],
  waitMs: number,
  signal: AbortSignal,
): Promise<Waited> {
  let ring = () => {};
  let committed = new Promise<void>((resolve) => {
    ring = resolve;
  });
  const stop = deps.db.onCommit(() => ring());
  const until = performance.now() + waitMs;
  try {
    for (;;) {
      const decided = await look(deps, approvalIds);
      if (decided) return decided;
      const left = until - performance.now();
      if (left <= 0 || signal.aborted) return { kind: 'nobody' };
      await firstOf(committed, left, signal);
      await firstOf(undefined, Math.min(LOOK_MS, left), signal);
      committed = new Promise<void>((resolve) => {
        ring = resolve;
      });
    }
  } finally {
    stop();
  }
}

async function look(deps: GovernanceDeps, ids: readonly string[]): Promise<Waited | undefined> {
  const approvals = await deps.db.read(async (reader) => {
    const found: Approval[] = [];
    for (const id of ids) {
      const approval = await selectApproval(reader, deps.payloads, id);
      if (approval) found.push(approval);
    }
    return found;
  });
  const now = deps.clock.now();
  const refused = approvals.find((each) => ['rejected', 'expired'].includes(statusAt(each, now)));
  if (refused) return { kind: 'refused', approval: refused };
  const approved = approvals.filter((each) => statusAt(each, now) === 'approved');
  return approved.length === ids.length ? { kind: 'approved' } : undefined;
}

function firstOf(event: Promise<void> | undefined, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    void event?.then(done);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
