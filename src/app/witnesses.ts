import { COSIGNATURE_ED25519, formatVerifierKey } from '../kernel/note/verifier-key.ts';
import type { JobHandler } from '../spine/jobs/handler.ts';
import type { PostText } from '../spine/journal/witness/ask-witness.ts';
import {
  type Cosigned,
  type Cosigning,
  createCosigning,
  type WitnessStatus,
} from '../spine/journal/witness/cosigning.ts';
import { readWitnesses } from '../spine/journal/witness/witness.ts';
import { guardedPost } from '../spine/outbound/guarded-post.ts';
import type { HealthCheck } from '../spine/system/schema.ts';
import type { Spine } from './spine.ts';

export const COSIGN = 'journal.cosign';

const LONGEST_MS = 20_000;
const LARGEST_ANSWER = 64 * 1024;

export function composeWitnesses({ db, tree, clock, settings }: Spine): {
  readonly cosigning: Cosigning;
  readonly witnessKeys: readonly string[];
} {
  const witnesses = readWitnesses(settings.witnesses);
  const post: PostText = (url, body, signal) =>
    guardedPost(
      url,
      body,
      { 'content-type': 'text/plain; charset=utf-8', accept: 'text/plain' },
      AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
      { allowedHosts: settings.allowedWitnessHosts, maxBytes: LARGEST_ANSWER },
    );
  return {
    cosigning: createCosigning({ db, tree, clock, witnesses, post }),
    witnessKeys: witnesses.map(({ key }) => formatVerifierKey(key, COSIGNATURE_ED25519)),
  };
}

/** Leased, so that of several processes one asks. */
export function cosignJob(cosigning: Cosigning): JobHandler<Cosigned | undefined> {
  return {
    idempotent: true,
    run: (job, signal) => cosigning.ask(job.key, signal),
    recorded: async (uow, job, outcome) => {
      if (outcome.state === 'done') await cosigning.record(uow, job.key, outcome.result);
    },
  };
}

/** A witness that has seen another journal than ours is a fault; one that does not answer is not. */
export function witnessHealth(witnesses: readonly WitnessStatus[]): HealthCheck {
  const wrong = witnesses.filter(({ error }) => error === 'ahead' || error === 'disagrees');
  const silent = witnesses.filter(({ error }) => error !== null);
  const message = (silent.length > 0 ? silent : witnesses)
    .map(({ name, cosigned, error }) => `${name}: ${error ?? `cosigned ${cosigned} events`}`)
    .join('; ');
  return { status: wrong.length > 0 ? 'fail' : silent.length > 0 ? 'warn' : 'pass', message };
}
