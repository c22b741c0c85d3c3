import { describe, expect, it } from 'vitest';
import type { A2aOperation } from './methods.ts';
import { readRest, writeRest } from './rest.ts';

function reread(operation: A2aOperation, params: Record<string, unknown>) {
  const { method, path, body } = writeRest(operation, params);
  const [bare = '', query] = path.split('?');
  const read = readRest(method, bare, new URLSearchParams(query));
  return { operation: read?.operation, version: read?.version, params: { ...body, ...read?.params } };
}

describe('a request of HTTP+JSON', () => {
  const calls: [A2aOperation, Record<string, unknown>][] = [
    ['send', { message: { messageId: 'm' } }],
    ['stream', { message: { messageId: 'm' } }],
    ['list', { pageSize: 5, contextId: 'c d' }],
    ['get', { id: 'a/b', historyLength: 2 }],
    ['cancel', { id: 't', metadata: { why: 'late' } }],
    ['subscribe', { id: 't' }],
    ['push.set', { taskId: 't', url: 'https://example.com' }],
    ['push.get', { taskId: 't', id: 'p' }],
    ['push.list', { taskId: 't', pageSize: 3 }],
    ['push.delete', { taskId: 't', id: 'p' }],
    ['card', {}],
  ];

  it.each(calls)('is read as the %s that it was written from', (operation, params) => {
    expect(reread(operation, params)).toEqual({ operation, version: '1.0', params });
  });

  it.each(calls)('names the tenant of a %s before all else', (operation, params) => {
    expect(writeRest(operation, { ...params, tenant: 'a b' }).path).toMatch(/^a%20b\//);
    expect(reread(operation, { ...params, tenant: 'a b' }).params).toEqual({ ...params, tenant: 'a b' });
  });

  it('is of 0.3 where its path says so', () => {
    const none = new URLSearchParams();
    expect(readRest('GET', 'v1/tasks/t', none)).toEqual({
      operation: 'get',
      version: '0.3',
      params: { id: 't' },
    });
    expect(readRest('GET', 'v1/card', none)?.operation).toBe('card');
    expect(readRest('GET', 'v1/nothing', none)).toBeUndefined();
    expect(readRest('PUT', 'tasks/t', none)).toBeUndefined();
  });
});
