import type { DeliveryPorts, Resolution } from '../ports.ts';
import { ORCHESTRATOR } from './rules.ts';

/**
 * Asks policy whether a gate may act. The run acts, not the person at the gate, who may have to approve the action as
 * well; one session per run, so that an approval is found again.
 */
export function resolveGate(
  ports: DeliveryPorts,
  projectId: string,
  runId: string,
  goal: string,
): Promise<Resolution> {
  const by = { projectId, actor: ORCHESTRATOR };
  return ports.resolve(by, { session: `${runId}/${ORCHESTRATOR.id}`, goal });
}
