/**
 * A model on loopback that follows a script: each request for a turn gets the next step, whatever the client says.
 * Requests that are not turns (titles, summaries, token counts) get an answer of the wire's own and leave the script alone.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Step, Turn } from './script.ts';

export interface ModelRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** What a request asks of a model: a turn of the script, or a text outside it. */
export type Demand = 'turn' | { readonly aside: string } | { readonly json: unknown };

export interface Wire {
  demand(request: ModelRequest): Demand;
  turn(step: Step): Turn;
  /** Writes one turn in the wire's streamed form. */
  stream(request: ModelRequest, turn: Turn, response: ServerResponse): void;
}

export interface ScriptedModel {
  readonly url: string;
  /** The bodies of all requests for a turn, in order. */
  readonly turns: readonly string[];
  /** What went wrong between two steps; the client sees a server that fails. */
  readonly failures: readonly unknown[];
  /** Everything that was asked, for the one who looks why a client stopped. */
  readonly requests: readonly ModelRequest[];
  readonly left: () => number;
  close(): Promise<void>;
}

/** Between two steps a test may do something: kill a server, answer the inbox. */
export type BeforeStep = (index: number, body: string) => Promise<void> | void;

export async function playModel(
  wire: Wire,
  script: readonly Step[],
  before: BeforeStep = () => {},
): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const turns: string[] = [];
  const failures: unknown[] = [];
  let index = 0;
  const answer = async (request: ModelRequest, response: ServerResponse): Promise<void> => {
    const demand = wire.demand(request);
    if (demand === 'turn') {
      const at = index++;
      turns.push(request.body);
      await before(at, request.body);
      wire.stream(request, wire.turn(script[at] ?? { say: 'The script is over.' }), response);
    } else if ('aside' in demand) wire.stream(request, { text: demand.aside, tokens: 100 }, response);
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(demand.json));
  };
  const server = createServer((incoming, response) => {
    void read(incoming)
      .then(async (request) => {
        requests.push(request);
        await answer(request, response);
      })
      .catch((error: unknown) => {
        failures.push(error);
        response.writeHead(500).end();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    turns,
    failures,
    requests,
    left: () => Math.max(0, script.length - index),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(incoming: IncomingMessage): Promise<ModelRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return {
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    body: Buffer.concat(chunks).toString('utf8'),
  };
}
