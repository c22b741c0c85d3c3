import { decodedPath } from '../../../kernel/decoded-path.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { PlainAnswer, type PlainRequest } from '../../../spine/operations/plain.ts';
import { readBytes, readRestRequest, readRpcRequest } from '../a2a/read-request.ts';
import { relayErrors } from '../errors.ts';
import { asksForCard, cardAnswer } from '../peers/card-answer.ts';
import type { RelayDeps } from '../ports.ts';
import { PUSH_PATH } from '../push/interpose.ts';
import type { Exchanges, ExchangesDeps } from './begin.ts';
import type { Callers } from './callers.ts';
import { type Capacity, overloadAnswer } from './capacity.ts';
import { targetOf, unknownTargetAnswer } from './target.ts';
import { turnBetween } from './turn-between.ts';

export interface Arrival {
  readonly request: PlainRequest;
  readonly agent: string;
  /** What stands after the agent in the path, still encoded, without a leading slash. */
  readonly rest: string;
  /** Who asks, where that was found out already. */
  readonly principal?: Principal;
}

export interface A2aEndpoint {
  handle(arrival: Arrival): Promise<PlainAnswer>;
  readonly open: number;
}

/** Names no agent: the message or its task does. */
export const BY_MESSAGE = '-';
/** Where clients look for a card beside `/a2a/{agent}`, which to them is a file in the folder `/a2a/`; and at the root. */
export const WELL_KNOWN = '.well-known';

export interface EndpointDeps
  extends Pick<ExchangesDeps, 'settings' | 'hasher' | 'tasks' | 'peers' | 'push' | 'grpcAt'>,
    Pick<RelayDeps, 'defaultProject'> {
  readonly exchanges: Exchanges;
  readonly callers: Callers;
  readonly capacity: Capacity;
}

/** Takes what callers send to an agent, finds the peer that it is for, and has it forwarded, answered or refused. */
export function createA2aEndpoint(deps: EndpointDeps): A2aEndpoint {
  const { settings, hasher, tasks, peers, push, grpcAt, exchanges, callers, capacity } = deps;

  async function take(given: Arrival): Promise<PlainAnswer> {
    const arrival = addressed(given);
    const { request, agent, rest } = arrival;
    if (agent === BY_MESSAGE && rest.startsWith(PUSH_PATH))
      return push.receive(request, rest.slice(PUSH_PATH.length));
    const principal = given.principal ?? (await callers.identify(request.headers, arrival.pathKey));
    const projectId = principal?.defaultProject ?? deps.defaultProject;
    const version = request.headers['a2a-version'];
    if (agent === WELL_KNOWN) {
      const peer = await peers.unnamed(projectId, hostOf(request));
      if (!peer || !asksForCard(request.method, `${WELL_KNOWN}/${rest}`)) {
        callers.requireAccess(undefined, principal);
        throw relayErrors.peer_not_found({ next: 'Name the agent: /a2a/NAME/.well-known/agent-card.json.' });
      }
      callers.requireAccess(peer, principal);
      const base = `/a2a/${peer.id}`;
      return cardAnswer(
        await peers.describe(peer),
        { request, rest: `${WELL_KNOWN}/${rest}`, base, peerId: peer.id, grpcAt },
        hasher,
      );
    }
    const bytesOf = () => readBytes(request, settings.maxBodyBytes);
    if (agent === BY_MESSAGE) {
      callers.requireAccess(undefined, principal);
      const bytes = (await bytesOf()) ?? new Uint8Array();
      const call = readRpcRequest(bytes, version);
      if (call instanceof PlainAnswer) return call;
      await turnBetween(bytes);
      const target = await targetOf({ peers, tasks }, projectId, call);
      if (target instanceof PlainAnswer) return target;
      const isUnnamed = 'unknownTarget' in target && target.unknownTarget === '' && !settings.synthesize;
      const peer = (isUnnamed ? await peers.unnamed(projectId, hostOf(request)) : undefined) ?? target;
      if ('unknownTarget' in peer)
        return settings.synthesize
          ? exchanges.synthesize(peer.unknownTarget, { call, request, principal, projectId })
          : unknownTargetAnswer(peer, call);
      return exchanges.begin({ peer, call, request, rest, bytes, principal, projectId });
    }
    const peer = await peers.find(projectId, agent);
    callers.requireAccess(peer, principal);
    if (!peer) throw relayErrors.peer_not_found({ details: { agent } });
    if (asksForCard(request.method, rest))
      return cardAnswer(
        await peers.describe(peer),
        { request, rest, base: arrival.base, peerId: peer.id, grpcAt },
        hasher,
      );
    const bytes = await bytesOf();
    const call =
      rest === '' && request.method === 'POST'
        ? readRpcRequest(bytes ?? new Uint8Array(), version)
        : readRestRequest(request, rest, bytes);
    if (call instanceof PlainAnswer) return call;
    await turnBetween(bytes);
    return exchanges.begin({ peer, call, request, rest, bytes, principal, projectId });
  }

  return {
    get open() {
      return capacity.open;
    },
    handle: (arrival) => capacity.within(() => take(arrival), overloaded),
  };
}

function overloaded(): PlainAnswer {
  return overloadAnswer({ binding: 'JSONRPC', version: '0.3', id: null });
}

function hostOf({ headers }: PlainRequest): string | undefined {
  return headers.host;
}

interface Addressed extends Pick<Arrival, 'request' | 'agent' | 'rest'> {
  /** The path by which the agent was asked for: callers are told to come back by it. */
  readonly base: string;
  readonly pathKey: string | undefined;
}

/** `/a2a/{agent}/…`, or `/a2a/~{key}/{agent}/…` for callers that can set no header. */
function addressed({ request, agent, rest }: Arrival): Addressed {
  if (!agent.startsWith('~')) return { request, agent, rest, base: `/a2a/${agent}`, pathKey: undefined };
  const pathKey = agent.slice(1);
  const [first = '', ...more] = rest.split('/');
  // A name that cannot be decoded is the name of nobody.
  const named = decodedPath(first) ?? first;
  return { request, agent: named, rest: more.join('/'), base: `/a2a/~${pathKey}/${named}`, pathKey };
}
