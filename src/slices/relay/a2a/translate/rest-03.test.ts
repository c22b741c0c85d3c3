import { describe, expect, it } from 'vitest';
import type { A2aOperation } from '../methods.ts';
import { bodyToRest03, paramsFromRest03, resultFromRest03, resultToRest03 } from './rest-03.ts';

const message = {
  kind: 'message',
  messageId: 'm',
  contextId: 'c',
  role: 'user',
  parts: [
    { kind: 'text', text: 'hello', metadata: { a: 1 } },
    { kind: 'file', file: { bytes: 'AA==', mimeType: 'image/png', name: 'x.png' } },
    { kind: 'file', file: { uri: 'https://example.com/x' } },
    { kind: 'data', data: { n: 1 } },
  ],
};
const task = {
  kind: 'task',
  id: 't',
  contextId: 'c',
  status: { state: 'canceled', message: { ...message, role: 'agent' }, timestamp: '2026-01-01T00:00:00Z' },
  artifacts: [{ artifactId: 'a', parts: message.parts }],
  history: [message],
};
const card = {
  name: 'a',
  url: 'https://example.com',
  security: [{ key: [] }],
  securitySchemes: { key: { type: 'http', scheme: 'Bearer' } },
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
};
const config = { taskId: 't', pushNotificationConfig: { id: 'p', url: 'https://example.com', token: 'x' } };

describe('what an HTTP+JSON peer of 0.3 is told and tells', () => {
  const results: [A2aOperation, unknown][] = [
    ['send', task],
    ['send', message],
    [
      'stream',
      { kind: 'status-update', taskId: 't', contextId: 'c', status: { state: 'completed' }, final: true },
    ],
    [
      'stream',
      { kind: 'artifact-update', taskId: 't', contextId: 'c', artifact: task.artifacts[0], append: true },
    ],
    ['get', task],
    ['cancel', task],
    ['push.set', config],
    ['push.list', [config]],
    ['push.delete', null],
    ['card', card],
  ];
  it.each(results)('comes back from %s as it went', (operation, result) => {
    expect(resultFromRest03(operation, resultToRest03(operation, result))).toEqual(result);
  });

  const requests: [A2aOperation, Record<string, unknown>][] = [
    [
      'send',
      { message, configuration: { blocking: true, pushNotificationConfig: { url: 'https://e.com' } } },
    ],
    ['stream', { message, metadata: { k: 'v' } }],
    ['push.set', config],
  ];
  it.each(requests)('is asked by %s for the same', (operation, params) => {
    const path = operation === 'push.set' ? { taskId: 't' } : {};
    expect(paramsFromRest03(operation, { ...bodyToRest03(operation, params), ...path })).toEqual(params);
  });

  it('is spelled as its protobuf is', () => {
    expect(resultToRest03('send', { ...task, artifacts: undefined, history: undefined })).toMatchObject({
      task: {
        status: {
          state: 'TASK_STATE_CANCELLED',
          message: {
            role: 'ROLE_AGENT',
            content: [
              { text: 'hello' },
              { file: { fileWithBytes: 'AA==' } },
              {},
              { data: { data: { n: 1 } } },
            ],
          },
        },
      },
    });
  });
});
