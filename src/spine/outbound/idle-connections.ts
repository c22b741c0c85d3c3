import type { Agent, ClientRequest } from 'node:http';
import type { Socket } from 'node:net';

/** The connections to one server that nobody uses at the moment; requests to it name them in their options. */
export type IdleConnections = Socket[];

interface Options {
  readonly idle: IdleConnections;
}

/** What an agent is to Node's own requests; its types do not say so. */
interface Inner {
  addRequest(request: ClientRequest, options: Options): void;
  createConnection(options: Options, done?: (error: Error | null, socket: Socket) => void): Socket;
}

/** A connection while a request has it. */
type Lent = Socket & { _httpMessage?: (ClientRequest & { readonly shouldKeepAlive: boolean }) | null };

/**
 * Takes idle connections from the list that a request names. By itself an agent looks for one by a name that it makes of
 * two dozen options, and forgets that name when the last connection is lent: half of what starting a request costs.
 */
export function lendIdle<A extends Agent>(agent: A): A {
  const inner = agent as unknown as Inner;
  const addRequest = inner.addRequest.bind(agent);
  const createConnection = inner.createConnection.bind(agent);

  inner.addRequest = (request, options) => {
    let socket = options.idle.pop();
    while (socket && !isUsable(socket)) socket = options.idle.pop();
    if (!socket) return addRequest(request, options);
    request.reusedSocket = true;
    request.onSocket(socket);
  };

  inner.createConnection = (options, done) => {
    const socket = createConnection(options, done);
    socket.on('close', () => {
      const at = options.idle.indexOf(socket);
      if (at >= 0) options.idle.splice(at, 1);
    });
    // One that breaks while it is idle closes, and that is all there is to it.
    socket.on('error', () => undefined);
    return socket;
  };

  const [serveNext] = agent.listeners('free');
  agent.removeAllListeners('free');
  agent.on('free', (socket: Lent, options: Options) => {
    // Requests beyond the agent's limit wait with it, and it knows who is next.
    if (Object.keys(agent.requests).length > 0) return serveNext?.call(agent, socket, options);
    if (!isUsable(socket) || !socket._httpMessage?.shouldKeepAlive) {
      socket.destroy();
      return;
    }
    socket._httpMessage = null;
    socket.setTimeout(0);
    options.idle.push(socket);
  });
  return agent;
}

function isUsable(socket: Socket): boolean {
  return socket.writable && !socket.destroyed;
}

export function closeIdle(idle: IdleConnections): void {
  for (const socket of idle.splice(0)) socket.destroy();
}
