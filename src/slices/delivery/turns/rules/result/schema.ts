import { isDoc } from '../../../document.ts';
import type { Finding } from './finding.ts';
import { decisionFindings } from './schema-decisions.ts';
import { delegationFindings } from './schema-delegations.ts';
import { envelopeFindings, missingFindings } from './schema-envelope.ts';
import { fault } from './schema-fault.ts';
import { objectionFindings } from './schema-objections.ts';
import { placeholderFindings } from './schema-placeholders.ts';
import { proposedChangeFindings } from './schema-proposed-changes.ts';
import { requestFindings } from './schema-requests.ts';
import { verificationFindings } from './schema-verification.ts';

export function schemaStage(result: unknown): readonly Finding[] {
  if (!isDoc(result)) return [fault('', 'The result is not a JSON object.', 'Write one JSON object.')];
  return [
    ...missingFindings(result),
    ...envelopeFindings(result),
    ...decisionFindings(result.decisions),
    ...objectionFindings(result.objections),
    ...verificationFindings(result.verification),
    ...requestFindings(result),
    ...proposedChangeFindings(result.proposed_changes),
    ...delegationFindings(result.delegations),
    ...placeholderFindings(result),
  ];
}
