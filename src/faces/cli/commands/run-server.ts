import { realpath } from 'node:fs/promises';
import type { ApproveOptions, AskPeer, CompareWithRecord } from '../../../slices/delivery/commands.ts';
import type { Host } from '../host.ts';
import { ask, type Body, withConnection } from '../operation.ts';

/** What a run on this machine's files needs of a server: its project's policy, and its project's relay. */

export function policyOf(host: Host, root: string): NonNullable<ApproveOptions['resolve']> {
  return ({ runId, gate, goal }) =>
    inProjectOf(host, root, 'delivery.resolve', { run_id: runId, gate, goal });
}

export function relayOf(host: Host): AskPeer {
  return ({ root, runId, role, peer, text }) =>
    inProjectOf(host, root, 'delivery.ask', { run_id: runId, role, peer, text });
}

/** The record of the server that a run is attached to, beside its files. A server that cannot be asked says why. */
export function comparedBy(host: Host): CompareWithRecord {
  return (repositoryId) =>
    withConnection(host, (connection) => ask(connection, host, 'delivery.compare', { id: repositoryId }));
}

async function inProjectOf(host: Host, root: string, operation: string, question: object): Promise<Body> {
  return withConnection(host, async (connection) => {
    const { repositories } = await ask(connection, host, 'delivery.locate', { root: await realpath(root) });
    if (repositories.length === 0) {
      const { deliveryErrors } = await import('../../../slices/delivery/errors.ts');
      throw deliveryErrors.repository_unattached();
    }
    return await ask(connection, host, operation, { id: repositories[0].id, ...question });
  });
}
