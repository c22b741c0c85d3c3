import type { Behalf } from '../../../spine/identity/on-behalf.ts';
import type { DeliveryPorts, Resolution } from '../ports.ts';
import { ORCHESTRATOR } from './rules.ts';

/**
 * Asks policy whether a gate may act. The run acts, not the person at the gate, who may have to approve the action as
 * well; one session per run and asker, so that an approval is found again, and spent by nobody else.
 */
export function resolveGate(
  ports: DeliveryPorts,
  by: Behalf,
  { runId, goal }: { readonly runId: string; readonly goal: string },
): Promise<Resolution> {
  const run = `${runId}/${ORCHESTRATOR.id}`;
  // No actor's id has a space.
  const session = by.actor.id === ORCHESTRATOR.id ? run : `${by.actor.id} ${run}`;
  return ports.resolve({ ...by, speaksFor: [ORCHESTRATOR.id] }, { session, goal, agent: ORCHESTRATOR.id });
}
