import { BatonError } from '../kernel/error.ts';
import { uuidV7Source } from '../kernel/ids.ts';
import { formatMicros } from '../kernel/instant.ts';
import { nodeHasher, nodeRandom, systemClock } from '../platform/index.ts';
import type { Host } from './host.ts';
import { ask } from './operation.ts';

/** Asks the server whether policy allows a goal. The same work asks in the same session, so that approvals count. */
export async function askServer(
  host: Host,
  question: { readonly work: string; readonly goal: string },
): Promise<{ readonly allowed: boolean; readonly reason: string }> {
  const connection = await host.connect(host.settings);
  try {
    const sessionId = uuidOf(question.work);
    const agentId = 'baton-run';
    await ask(connection, host, 'carp.session.start', {
      session_id: sessionId,
      agent_id: agentId,
      goal: question.goal,
    }).catch((error) => {
      if (!(error instanceof BatonError && error.code.toLowerCase() === 'session_already_exists'))
        throw error;
    });
    const { decision } = await ask(connection, host, 'carp.resolve', {
      request: {
        carp_version: '1.0',
        request_id: uuidV7Source(systemClock, nodeRandom)(),
        timestamp: formatMicros(systemClock.now()),
        operation: 'resolve',
        requester: { agent_id: agentId, session_id: sessionId },
        task: { goal: question.goal },
      },
    });
    return {
      allowed: decision.type === 'allow',
      reason: decision.reason ?? `The decision is ${decision.type}.`,
    };
  } finally {
    await connection.close();
  }
}

/** A UUID of version 8: the same for the same text. */
function uuidOf(text: string): string {
  const hex = nodeHasher.hex(text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
