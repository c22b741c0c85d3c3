/** The HTTP+JSON binding: which request means which operation, and how one is written. */

import { decodedPath } from '../../../kernel/decoded-path.ts';
import { asText, type LooseRecord, present } from '../../../kernel/json/loose.ts';
import type { A2aOperation, A2aVersion } from './methods.ts';

export interface RestRequest {
  readonly operation: A2aOperation;
  readonly version: A2aVersion;
  /** Taken from the path and the query; a body's members come on top. */
  readonly params: LooseRecord;
}

const ROUTES: readonly [string, RegExp, A2aOperation, ...string[]][] = [
  ['POST', /^message:send$/, 'send'],
  ['POST', /^message:stream$/, 'stream'],
  ['GET', /^tasks$/, 'list'],
  ['GET', /^tasks\/([^/:]+)$/, 'get', 'id'],
  ['POST', /^tasks\/([^/:]+):cancel$/, 'cancel', 'id'],
  ['ANY', /^tasks\/([^/:]+):subscribe$/, 'subscribe', 'id'],
  ['POST', /^tasks\/([^/:]+)\/pushNotificationConfigs$/, 'push.set', 'taskId'],
  ['GET', /^tasks\/([^/:]+)\/pushNotificationConfigs$/, 'push.list', 'taskId'],
  ['GET', /^tasks\/([^/:]+)\/pushNotificationConfigs\/([^/:]+)$/, 'push.get', 'taskId', 'id'],
  ['DELETE', /^tasks\/([^/:]+)\/pushNotificationConfigs\/([^/:]+)$/, 'push.delete', 'taskId', 'id'],
  ['GET', /^(?:extendedAgentCard|card)$/, 'card'],
];

/** 0.3 has its version in the path, 1.0 has none. */
export function versionOfPath(path: string): A2aVersion {
  return path.startsWith('v1/') ? '0.3' : '1.0';
}

export function restType(version: A2aVersion): string {
  return version === '1.0' ? 'application/a2a+json' : 'application/json';
}

/** `path` is what stands after the agent, without a leading slash. A tenant may stand before all the rest in 1.0. */
export function readRest(method: string, path: string, query: URLSearchParams): RestRequest | undefined {
  const version = versionOfPath(path);
  if (version === '0.3') return readRoute(method, path.slice(3), version, query);
  const [first = '', ...rest] = path.split('/');
  const ofTenant = readRoute(method, rest.join('/'), version, query);
  const tenant = decodedPath(first);
  return (
    readRoute(method, path, version, query) ??
    (ofTenant && tenant !== undefined ? { ...ofTenant, params: { ...ofTenant.params, tenant } } : undefined)
  );
}

function readRoute(
  method: string,
  path: string,
  version: A2aVersion,
  query: URLSearchParams,
): RestRequest | undefined {
  for (const [verb, pattern, operation, ...names] of ROUTES) {
    const match = verb === 'ANY' || verb === method ? pattern.exec(path) : null;
    if (!match) continue;
    const params: Record<string, unknown> = {};
    for (const [name, value] of query) params[name] = /^\d{1,9}$/.test(value) ? Number(value) : value;
    for (const [i, name] of names.entries()) {
      const decoded = decodedPath(match[i + 1] ?? '');
      if (decoded === undefined) return undefined;
      params[name] = decoded;
    }
    return { operation, version, params };
  }
  return undefined;
}

export interface RestCall {
  readonly method: string;
  readonly path: string;
  readonly body: LooseRecord | undefined;
}

/** The request of 1.0 for params in the shape of 1.0. */
export function writeRest(operation: A2aOperation, { tenant, ...params }: LooseRecord): RestCall {
  const call = writeRoute(operation, params);
  const prefix = asText(tenant);
  return prefix ? { ...call, path: `${encodeURIComponent(prefix)}/${call.path}` } : call;
}

function writeRoute(operation: A2aOperation, params: LooseRecord): RestCall {
  const segment = (name: string) => encodeURIComponent(asText(params[name]) ?? '');
  const { id: _id, taskId: _taskId, ...rest } = params;
  const query = () => {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(present(rest))) search.set(name, String(value));
    const written = search.toString();
    return written === '' ? '' : `?${written}`;
  };
  switch (operation) {
    case 'send':
      return { method: 'POST', path: 'message:send', body: params };
    case 'stream':
      return { method: 'POST', path: 'message:stream', body: params };
    case 'list':
      return { method: 'GET', path: `tasks${query()}`, body: undefined };
    case 'get':
      return { method: 'GET', path: `tasks/${segment('id')}${query()}`, body: undefined };
    case 'cancel':
      return { method: 'POST', path: `tasks/${segment('id')}:cancel`, body: rest };
    case 'subscribe':
      return { method: 'POST', path: `tasks/${segment('id')}:subscribe`, body: {} };
    case 'push.set':
      return { method: 'POST', path: `tasks/${segment('taskId')}/pushNotificationConfigs`, body: params };
    case 'push.list':
      return {
        method: 'GET',
        path: `tasks/${segment('taskId')}/pushNotificationConfigs${query()}`,
        body: undefined,
      };
    case 'push.get':
    case 'push.delete':
      return {
        method: operation === 'push.get' ? 'GET' : 'DELETE',
        path: `tasks/${segment('taskId')}/pushNotificationConfigs/${segment('id')}`,
        body: undefined,
      };
    case 'card':
      return { method: 'GET', path: 'extendedAgentCard', body: undefined };
  }
}
