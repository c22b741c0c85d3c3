import { asRecord, asText } from '../../../kernel/json/loose.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { observeMessage } from '../a2a/observe.ts';
import { relayErrors } from '../errors.ts';
import { taskNamed } from '../exchanges/target.ts';
import { createRelayHandlers } from '../handlers.ts';
import type { RelayService } from '../slice.ts';
import { selectTaskOwner } from '../tasks/store.ts';
import type { aloneOperations } from './operations.ts';

const PROTOCOL = '0.4';
/** Names no agent: the message or its task does. */
const BY_MESSAGE = '-';

export function createAloneHandlers(service: RelayService): Handlers<typeof aloneOperations> {
  const { deps, relay } = service;
  const shared = createRelayHandlers(service);

  /** Callers without a key are let in by the peer they ask for, so it has to be known before the relay looks. */
  async function agentAsked(bytes: Uint8Array): Promise<string> {
    const params = asRecord(asRecord(parsed(bytes)).params);
    const message = observeMessage(params);
    const named = asText(message?.metadata['agent.target']);
    if (named !== undefined) return named;
    const taskId = taskNamed(params, message);
    if (taskId === undefined) return BY_MESSAGE;
    const owner = await deps.db.read((reader) => selectTaskOwner(reader, deps.defaultProject, taskId));
    return owner?.peer_id ?? BY_MESSAGE;
  }

  return {
    'alone.message': async (request) => {
      if (request.headers['x-baton-key']) return relay.handle({ request, agent: BY_MESSAGE, rest: '' });
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
      return relay.handle({ request: again, agent: await agentAsked(bytes), rest: '' });
    },
    'alone.health': async () => {
      // Who is reachable is nobody's business beyond this machine.
      const peers = deps.loopback ? await service.listPeers(deps.defaultProject, false) : [];
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

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
