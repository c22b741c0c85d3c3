import { asRecord, asText } from '../../../kernel/json/loose.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { observeMessage } from '../a2a/observe.ts';
import { parseJson } from '../a2a/reply.ts';
import { relayErrors } from '../errors.ts';
import { type A2aEndpoint, BY_MESSAGE } from '../exchanges/endpoint.ts';
import { PROTOCOL } from '../exchanges/status.ts';
import { taskNamed } from '../exchanges/target.ts';
import type { relayOperations } from '../operations.ts';
import type { PeerDirectory } from '../peers/directory.ts';
import type { Peers } from '../peers/manage.ts';
import type { RelayDeps } from '../ports.ts';
import { selectTaskOwner } from '../tasks/store.ts';
import type { aloneOperations } from './operations.ts';

export interface AloneDeps extends Pick<RelayDeps, 'db' | 'settings' | 'defaultProject' | 'loopback'> {
  readonly endpoint: A2aEndpoint;
  readonly peers: Peers;
  readonly directory: Pick<PeerDirectory, 'unnamed'>;
}

/** `shared`: the handlers that serve the same operations under their usual paths. */
export function createAloneHandlers(
  deps: AloneDeps,
  shared: Handlers<typeof relayOperations>,
): Handlers<typeof aloneOperations> {
  const { endpoint } = deps;

  /** Callers without a key are let in by the peer they ask for, so it has to be known before the relay looks. */
  async function targetAgent(bytes: Uint8Array, host: string | undefined): Promise<string> {
    const params = asRecord(asRecord(parseJson(new TextDecoder().decode(bytes))).params);
    const message = observeMessage(params);
    const named = asText(message?.metadata['agent.target']);
    if (named !== undefined) return named;
    const taskId = taskNamed(params, message);
    if (taskId === undefined) {
      const unnamed = deps.settings.synthesize
        ? undefined
        : await deps.directory.unnamed(deps.defaultProject, host);
      return unnamed?.id ?? BY_MESSAGE;
    }
    const owner = await deps.db.read((reader) => selectTaskOwner(reader, deps.defaultProject, taskId));
    return owner?.peer_id ?? BY_MESSAGE;
  }

  return {
    'alone.message': async (request) => {
      if (request.headers['x-baton-key']) return endpoint.handle({ request, agent: BY_MESSAGE, rest: '' });
      const bytes = await request.bytes(deps.settings.maxBodyBytes);
      if (bytes === undefined) throw relayErrors.message_too_large();
      const { method, origin, target, params, headers } = request;
      const again = {
        method,
        origin,
        target,
        params,
        headers,
        onGone: (listener: () => void) => request.onGone(listener),
        bytes: async () => bytes,
      };
      return endpoint.handle({ request: again, agent: await targetAgent(bytes, headers.host), rest: '' });
    },
    'alone.health': async () => {
      // Who is reachable is nobody's business beyond this machine.
      const peers = deps.loopback ? await deps.peers.list(deps.defaultProject, false) : [];
      const roles = peers.flatMap(({ id, role }) => (role === undefined ? [] : [[id, role] as const]));
      return {
        body: {
          status: 'ok',
          protocol: PROTOCOL,
          peers: peers.map(({ id }) => id),
          star_enforce: deps.settings.starEnforce,
          roles: Object.fromEntries(roles),
        },
      };
    },
    'alone.peers': shared['relay.peers'],
    'alone.peer.register': shared['relay.peer.register'],
    'alone.peer.remove': shared['relay.peer.remove'],
    'alone.tasks': shared['relay.tasks'],
  };
}
