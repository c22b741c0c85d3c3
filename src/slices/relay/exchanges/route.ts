import type { LooseRecord } from '../../../kernel/json/loose.ts';
import { type A2aOperation, type A2aVersion, methodName } from '../a2a/methods.ts';
import { translated } from '../a2a/reply.ts';
import { type RestCall, restType, writeRest } from '../a2a/rest.ts';
import { paramsTo03, paramsTo10 } from '../a2a/translate/operation.ts';
import { bodyToRest03 } from '../a2a/translate/rest-03.ts';
import type { PeerInterface } from '../peers/directory.ts';
import { under } from '../peers/under.ts';
import { type TraceContext, writeTraceparent } from '../spans/trace-context.ts';
import type { Exchange } from './exchange.ts';
import { headersForPeer, headersIn } from './headers.ts';

export interface Route {
  readonly target: PeerInterface;
  /** The caller's own bytes are what the peer understands. */
  readonly verbatim: boolean;
}

export interface Outgoing {
  readonly url: URL;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | undefined;
}

export function routeOf({ interfaces, binding, version, peer }: Exchange): Route {
  const same = interfaces.find((one) => one.binding === binding && one.version === version);
  if (same) return { target: same, verbatim: true };
  // Less is lost between bindings than between versions.
  const bridged =
    interfaces.find((one) => one.version === version) ??
    interfaces.find((one) => one.binding === 'JSONRPC') ??
    interfaces[0];
  if (bridged) return { target: bridged, verbatim: false };
  const unknown = { version, url: peer.url };
  return binding === 'GRPC'
    ? { target: { ...unknown, binding: 'JSONRPC' }, verbatim: false }
    : { target: { ...unknown, binding }, verbatim: true };
}

/** The request as the peer gets it: its caller's bytes, or the same in the version and binding that it speaks. */
export function outgoing(exchange: Exchange, route: Route, parent: TraceContext): Outgoing {
  const headers = headersForPeer(exchange.headers);
  headers.traceparent = writeTraceparent(parent);
  return route.verbatim ? asItCame(exchange, route, headers) : rewritten(exchange, route, headers);
}

const addresses = new WeakMap<PeerInterface, URL>();

/** Read once for each interface: nobody changes it. */
function addressOf(target: PeerInterface): URL {
  const known = addresses.get(target);
  if (known) return known;
  const address = new URL(target.url);
  addresses.set(target, address);
  return address;
}

function asItCame(
  { binding, rest, method, bytes }: Exchange,
  { target }: Route,
  headers: Record<string, string>,
): Outgoing {
  const url = binding !== 'HTTP+JSON' ? addressOf(target) : under(target.url, rest);
  return { url, method, headers, body: bytes };
}

function rewritten(
  { operation, version, params: given, id }: Exchange,
  { target }: Route,
  headers: Record<string, string>,
): Outgoing {
  const said = translated(version, target.version, {
    to10: () => paramsTo10(operation, given),
    to03: () => paramsTo03(operation, given),
    same: () => given,
  });
  const isUntold = target.tenant !== undefined && target.version === '1.0' && said.tenant === undefined;
  const params = isUntold ? { ...said, tenant: target.tenant } : said;
  const spoken = { ...headersIn(target.version, headers), 'a2a-version': target.version };
  if (target.binding !== 'HTTP+JSON') {
    const call = { jsonrpc: '2.0', id: id ?? 1, method: methodName(operation, target.version), params };
    const typed = { ...spoken, 'content-type': 'application/json' };
    return { url: addressOf(target), method: 'POST', headers: typed, body: encoded(call) };
  }
  const call = restCall(operation, target.version, params);
  const typed = { ...spoken, 'content-type': restType(target.version) };
  return {
    url: under(target.url, call.path),
    method: call.method,
    headers: call.body ? typed : withoutType(spoken),
    body: call.body && encoded(call.body),
  };
}

/** The request of the HTTP+JSON binding, in either version. */
export function restCall(operation: A2aOperation, version: A2aVersion, params: LooseRecord): RestCall {
  if (version === '1.0') return writeRest(operation, params);
  if (operation === 'card') return { method: 'GET', path: 'v1/card', body: undefined };
  const call = writeRest(operation, paramsTo10(operation, params));
  return { ...call, path: `v1/${call.path}`, body: call.body && (bodyToRest03(operation, params) ?? {}) };
}

function withoutType({ 'content-type': _, ...headers }: Record<string, string>): Record<string, string> {
  return headers;
}

const encoder = new TextEncoder();

function encoded(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value));
}
