/** Other parameters than were asked, approved by a person. */
import { canonicalAppendixB } from '../../../kernel/json/canonical/appendix-b.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json/value.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import { cited } from '../../../kernel/quoted.ts';
import type { DecisionWithEdits } from '../../../spine/inbox/effect.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { governanceErrors } from '../errors.ts';
import type { GovernanceDeps } from '../ports.ts';
import { hashWithout } from './grant-rules.ts';
import { selectUses } from './grant-store.ts';
import { type Approval, insertEdited, selectEdited } from './store.ts';

const LONGEST_TOLD = 2_000;

/**
 * What is approved, with the hashes that the grant binds: where the person changed it, theirs. Whoever edits says what the
 * one call is to be; a session or a rule of other parameters was never asked for.
 */
export async function approvedParameters(
  uow: UnitOfWork,
  { hasher, payloads }: GovernanceDeps,
  approval: Approval,
  made: DecisionWithEdits,
): Promise<Approval> {
  if (made.decision !== 'approve_with_edits') return approval;
  const parameters = parametersIn(made.edits);
  if (made.choice !== null && made.choice !== 'call') {
    throw governanceErrors.edits_cover_one_call({ pointer: '/choice', details: { choice: made.choice } });
  }
  const hash = hasher.hex(canonicalAppendixB(parameters));
  const edited = { parameters, hash };
  await insertEdited(uow, payloads, approval.approvalId, edited);
  return {
    ...approval,
    edited,
    parametersHash: hash,
    boundHash: hashWithout(hasher, parameters, approval.mayDiffer),
  };
}

function parametersIn(edits: Json | undefined): JsonObject {
  const parameters = isJsonObject(edits) ? edits.parameters : undefined;
  if (isJsonObject(parameters) && Object.keys(edits as JsonObject).length === 1) return parameters;
  throw governanceErrors.invalid_edits({ pointer: '/edits' });
}

export interface ApprovedOtherwise {
  readonly approval: Approval;
  readonly parameters: JsonObject;
  /** What whoever asked is told. */
  readonly words: string;
}

/** The unused approval of this call in other words: to ask the person again would be to ask what they have answered. */
export async function approvedOtherwise(
  reader: Reader,
  { payloads, clock }: GovernanceDeps,
  call: { readonly sessionId: string; readonly actionId: string; readonly parametersHash: string },
): Promise<ApprovedOtherwise | undefined> {
  for (const approval of await selectEdited(reader, payloads, call, clock.now())) {
    if (approval.edited === null || approval.edited.hash === call.parametersHash) continue;
    if ((await selectUses(reader, approval.approvalId)).uses > 0) continue;
    const { parameters } = approval.edited;
    const told = cited(writeJson(parameters), LONGEST_TOLD);
    return {
      approval,
      parameters,
      words: `${approval.approver ?? 'A person'} approved it with other parameters: call it with exactly ${told}`,
    };
  }
  return undefined;
}
