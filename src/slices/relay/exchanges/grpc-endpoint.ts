import { asRecord, asText, type LooseRecord } from '../../../kernel/json/loose.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { PlainAnswer, type PlainRequest } from '../../../spine/operations/plain.ts';
import { methodName } from '../a2a/methods.ts';
import type { A2aRequest } from '../a2a/read-request.ts';
import { relayErrors } from '../errors.ts';
import type { GrpcArrival } from '../grpc/listen.ts';
import type { PeerDirectory } from '../peers/directory.ts';
import type { Peer } from '../peers/store.ts';
import type { RelayDeps } from '../ports.ts';
import type { TaskOwners } from '../tasks/owners.ts';
import type { Exchanges } from './begin.ts';
import type { Callers } from './callers.ts';
import { type Capacity, overloadAnswer } from './capacity.ts';
import { targetOf, unknownTargetAnswer } from './target.ts';

export interface GrpcEndpointDeps extends Pick<RelayDeps, 'defaultProject'> {
  readonly peers: PeerDirectory;
  readonly tasks: TaskOwners;
  readonly exchanges: Exchanges;
  readonly callers: Callers;
  readonly capacity: Capacity;
  /** Where the relay is reached by HTTP, for addresses in cards and of notifications. */
  readonly origin: () => string;
}

/** Names an agent beside a message. */
const AGENT = 'x-baton-agent';

/** The same as `endpoint.ts` for callers by gRPC, which has no paths: who is meant is said in other ways. */
export function createGrpcEndpoint(deps: GrpcEndpointDeps): (arrival: GrpcArrival) => Promise<PlainAnswer> {
  const { peers, tasks, exchanges, callers, capacity } = deps;

  /** By its name in the metadata, the tenant that its card gives to callers, the message, its task, or as the only one. */
  async function peerMeant(
    projectId: string,
    principal: Principal | undefined,
    { headers, authority }: GrpcArrival,
    call: A2aRequest,
  ): Promise<{ readonly peer: Peer; readonly params: LooseRecord } | PlainAnswer> {
    const { params } = call;
    const named = headers[AGENT];
    if (named !== undefined) {
      const peer = await peers.find(projectId, named);
      callers.requireAccess(peer, principal);
      if (!peer) throw relayErrors.peer_not_found({ details: { agent: named } });
      return { peer, params };
    }
    const [first = '', ...more] = (asText(params.tenant) ?? '').split('/');
    const ofTenant = first === '' ? undefined : await peers.find(projectId, first);
    if (ofTenant) {
      const { tenant: _, ...rest } = params;
      return { peer: ofTenant, params: more.length > 0 ? { ...rest, tenant: more.join('/') } : rest };
    }
    const target = await targetOf({ peers, tasks }, projectId, call);
    if (!(target instanceof PlainAnswer) && !('unknownTarget' in target)) return { peer: target, params };
    const isNamed = !(target instanceof PlainAnswer) && target.unknownTarget !== '';
    const peer = isNamed ? undefined : await peers.unnamed(projectId, authority);
    if (peer) return { peer, params };
    return target instanceof PlainAnswer ? target : unknownTargetAnswer(target, call);
  }

  async function take(arrival: GrpcArrival): Promise<PlainAnswer> {
    const { method, headers } = arrival;
    const { [AGENT]: _, ...passed } = headers;
    const principal = await callers.identify(headers);
    const projectId = principal?.defaultProject ?? deps.defaultProject;
    const asked: A2aRequest = {
      ...{ operation: method.operation, version: method.version, binding: 'GRPC', id: 1 },
      params: asRecord(arrival.params),
      wireMethod: methodName(method.operation, method.version),
    };
    const meant = await peerMeant(projectId, principal, arrival, asked);
    if (meant instanceof PlainAnswer) {
      callers.requireAccess(undefined, principal);
      return meant;
    }
    const { peer, params } = meant;
    callers.requireAccess(peer, principal);
    const call = { ...asked, params };
    const body = JSON.stringify({ jsonrpc: '2.0', id: call.id, method: call.wireMethod, params });
    const bytes = new TextEncoder().encode(body);
    const request: PlainRequest = {
      method: 'POST',
      origin: deps.origin(),
      target: `/a2a/${encodeURIComponent(peer.id)}`,
      params: {},
      headers: { ...passed, 'content-type': 'application/json' },
      bytes: async () => bytes,
      onGone: (listener) => arrival.onGone(listener),
    };
    return exchanges.begin({ peer, call, request, rest: '', bytes, principal, projectId });
  }

  return (arrival) =>
    capacity.within(
      () => take(arrival),
      () => overloadAnswer({ binding: 'GRPC', version: arrival.method.version, id: 1 }),
    );
}
