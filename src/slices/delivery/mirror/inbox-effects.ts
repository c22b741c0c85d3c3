import { BatonError } from '../../../kernel/error.ts';
import type { DecisionWithEdits } from '../../../spine/inbox/effect.ts';
import { inboxJob } from '../../../spine/inbox/inbox-job.ts';
import type { InboxItem } from '../../../spine/inbox/item.ts';
import { jobErrors } from '../../../spine/jobs/errors.ts';
import type { JobHandler, JobOutcome } from '../../../spine/jobs/handler.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { approve, declineGate } from '../gates/decide.ts';
import type { DeliveryDeps } from '../ports.ts';
import { openRepository, type RunRepository } from '../repository/repository.ts';
import { resume } from '../runs/resume.ts';
import type { Mirror } from './mirror.ts';
import { resolveGate } from './resolve-gate.ts';
import { ESCALATION_ITEM, GATE_ITEM, NEEDS_HUMAN_ITEM, ORCHESTRATOR } from './rules.ts';
import { selectRepository } from './store.ts';

type EffectDeps = DeliveryDeps & { readonly mirror: Mirror };

const JOB_KIND = 'delivery.decided';
/** Gate actions may take minutes; the lease is renewed meanwhile. */
const LEASE_SECONDS = 120;

/**
 * Approving in the inbox is the same decision as on the command line: made there, applied here by a job under the
 * accept lock. Returns the kind and handler of that job.
 */
export function registerInboxEffects(deps: EffectDeps): readonly [string, JobHandler] {
  const { db, ports } = deps;
  for (const kind of [GATE_ITEM, NEEDS_HUMAN_ITEM, ESCALATION_ITEM]) {
    ports.inbox.register(kind, { apply: 'job', jobKind: JOB_KIND });
  }
  const handler = inboxJob(db, ports.inbox, {
    // A run that no longer waits for this decision is left alone, so repeating is harmless.
    idempotent: true,
    leaseSeconds: LEASE_SECONDS,
    run: (item, made) => apply(deps, item, made).catch(giveUpOnRefusal),
  });
  return [
    JOB_KIND,
    {
      ...(handler as JobHandler),
      async recorded(uow, job, outcome) {
        await handler.recorded?.(uow, job, outcome as JobOutcome<'ran' | 'closed'>);
        if (outcome.state === 'failed') await askAgain(deps, uow, job.key);
      },
    },
  ];
}

/** A decision that failed to apply leaves the run waiting, so its question is asked again. */
async function askAgain({ ports }: EffectDeps, uow: UnitOfWork, itemId: string): Promise<void> {
  const item = await ports.inbox.get(uow, itemId);
  if (item?.state !== 'failed' || item.decision?.decision === 'reject') return;
  const [repositoryId = ''] = item.subject.id.split('/');
  if ((await selectRepository(uow, repositoryId)) === undefined) return;
  const { kind, projectId, requestedBy, subject, digest, rule, title, risk, unblocks } = item;
  await ports.inbox.openItem(uow, {
    ...{ kind, projectId, requestedBy, subject, digest, rule, title, risk, unblocks },
    edits: item.editsAllowed,
  });
}

/** A refusal by the rules will not change; only retryable errors are tried again. */
function giveUpOnRefusal(error: unknown): never {
  if (error instanceof BatonError && !error.retryable)
    throw jobErrors.job_given_up({ cause: error, message: error.message });
  throw error;
}

async function apply(deps: EffectDeps, item: InboxItem, made: DecisionWithEdits): Promise<void> {
  const [repositoryId = '', runId = ''] = item.subject.id.split('/');
  const attached = await deps.db.read((reader) => selectRepository(reader, repositoryId));
  if (attached === undefined)
    throw jobErrors.job_given_up({ message: 'The repository is no longer attached.' });
  const { clock, random, hasher, keepIn } = deps;
  const repository = openRepository({ root: attached.root, clock, random, hasher, keepIn });
  const { state } = await repository.snapshot();
  if (state.run_id === runId) {
    if (item.kind === GATE_ITEM) await applyToGate(deps, repository, item, made, attached.projectId);
    else if (made.decision !== 'reject' && state.status === 'blocked')
      await resume(repository, made.decidedBy.id, true);
  }
  await deps.mirror.catchUp(repositoryId);
}

async function applyToGate(
  deps: EffectDeps,
  repository: RunRepository,
  item: InboxItem,
  made: DecisionWithEdits,
  projectId: string,
): Promise<void> {
  const { state } = await repository.snapshot();
  const gate = state.pending_phase_transition?.gate ?? state.pending_run_completion?.gate;
  if (gate === undefined || item.rule !== `gate:${gate}`) return;
  const by = made.decidedBy.id;
  const note = made.note === null ? {} : { note: made.note };
  if (made.decision === 'reject') {
    await declineGate(repository, { by, ...note, credentialed: true });
    return;
  }
  await approve(repository, {
    by,
    ...note,
    credentialed: true,
    resolve: (question) => resolveGate(deps.ports, { projectId, actor: ORCHESTRATOR }, question),
  });
}
