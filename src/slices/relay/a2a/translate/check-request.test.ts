import { describe, expect, it } from 'vitest';
import { camelNames } from './camel-names.ts';
import { faultOf } from './check-request.ts';

const legacy = { messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hi' }] };
const modern = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] };

describe('a request that is to be translated', () => {
  it('passes in either version, with parts of every kind', () => {
    const parts03 = [
      { kind: 'text', text: '' },
      { kind: 'data', data: {} },
      { kind: 'file', file: { bytes: '' } },
      { kind: 'file', file: { uri: 'x:y' } },
    ];
    const parts10 = [{ text: '' }, { raw: '' }, { url: 'x:y' }, { data: null }];
    expect(faultOf('send', '0.3', { message: { ...legacy, parts: parts03 } })).toBeUndefined();
    expect(faultOf('stream', '1.0', { message: { ...modern, parts: parts10 } })).toBeUndefined();
    expect(faultOf('get', '1.0', { id: 't' })).toBeUndefined();
    expect(faultOf('list', '1.0', {})).toBeUndefined();
  });

  it.each([
    ['no message', undefined],
    ['no role', { ...legacy, role: undefined }],
    ['the role of another version', { ...legacy, role: 'ROLE_USER' }],
    ['no id', { ...legacy, messageId: '' }],
    ['no parts', { ...legacy, parts: [] }],
    ['an unknown kind of part', { ...legacy, parts: [{ kind: 'video', video: 'x' }] }],
    ['a part of another version', { ...legacy, parts: [{ text: 'hi' }] }],
    ['a file with two contents', { ...legacy, parts: [{ kind: 'file', file: { bytes: '', uri: '' } }] }],
  ])('is refused with %s, rather than something made up for it', (_, message) => {
    expect(faultOf('send', '0.3', { message })).toMatch(/^`message/);
  });

  it('is refused where it names no task', () => {
    for (const operation of ['get', 'cancel', 'subscribe', 'push.set', 'push.list'] as const)
      for (const version of ['0.3', '1.0'] as const)
        expect(faultOf(operation, version, {})).toMatch(/must name a task/);
  });
});

describe('names of protobuf', () => {
  it('are read in either spelling, and left alone in what is the caller’s own', () => {
    const own = { own_name: 1 };
    expect(
      camelNames({ task_id: 't', message: { context_id: 'c', metadata: own, parts: [{ data: own }] } }),
    ).toEqual({ taskId: 't', message: { contextId: 'c', metadata: own, parts: [{ data: own }] } });
    const params = { id: 't', message: modern };
    expect(camelNames(params)).toBe(params);
  });
});
