import { member } from '../../../document.ts';
import type { TurnResult } from '../../turn-result.ts';
import { roleOf, type TurnContext } from './context.ts';
import { type Finding, finder } from './finding.ts';

const fault = finder('artifact_error');
const PROPOSING_TRANSPORTS = ['api_proxy', 'remote_agent', 'a2a'];

/** A role that cannot write delivers what it would write; a bare summary is no work. */
export function proposalFindings(result: TurnResult, context: TurnContext): Finding[] {
  const role = roleOf(context);
  const transport = member(context.config.runtimes, context.turn?.runtime_id ?? '')?.type ?? '';
  const mustPropose =
    role?.write_authority === 'proposed' &&
    result.status === 'completed' &&
    PROPOSING_TRANSPORTS.includes(transport) &&
    result.run_completion_request !== true;
  const changes = result.proposed_changes ?? [];
  if (mustPropose && changes.length === 0) {
    return [
      fault(
        'proposed_changes',
        `A completed turn over ${transport} proposes changes.`,
        'List proposed_changes.',
      ),
    ];
  }
  const seen = new Set<string>();
  return changes.flatMap((change, index) => {
    if (!seen.has(change.path)) {
      seen.add(change.path);
      return [];
    }
    return [
      fault(`proposed_changes.${index}.path`, `${change.path} is proposed twice.`, 'Propose each file once.'),
    ];
  });
}
