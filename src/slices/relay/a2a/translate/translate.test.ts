import { describe, expect, it } from 'vitest';
import { rewriteCard } from '../card-rewrite.ts';
import { observeResult } from '../observe.ts';
import { cardTo03, cardTo10, interfacesOf } from './card.ts';
import { errorFromRest, errorTo03, errorTo10, errorToRest, isRestError } from './error.ts';
import { paramsTo03, paramsTo10, resultTo03, resultTo10 } from './operation.ts';

const message03 = {
  kind: 'message',
  messageId: 'm',
  role: 'user',
  contextId: 'c',
  parts: [
    { kind: 'text', text: 'hi' },
    { kind: 'data', data: { a: 1 } },
    { kind: 'file', file: { uri: 'https://x/y', mimeType: 'image/png', name: 'p' } },
    { kind: 'file', file: { bytes: 'QQ==', mimeType: 'text/plain' } },
  ],
};

describe('between 0.3 and 1.0', () => {
  it('the parameters of a send go over and come back the same', () => {
    const params = {
      message: message03,
      configuration: {
        blocking: true,
        historyLength: 3,
        pushNotificationConfig: {
          url: 'https://h',
          token: 't',
          authentication: { schemes: ['Bearer'], credentials: 'x' },
        },
      },
    };
    const modern = paramsTo10('send', params);
    expect(modern).toMatchObject({
      message: {
        role: 'ROLE_USER',
        parts: [
          { text: 'hi' },
          { data: { a: 1 } },
          { url: 'https://x/y', mediaType: 'image/png', filename: 'p' },
          { raw: 'QQ==' },
        ],
      },
      configuration: {
        returnImmediately: false,
        taskPushNotificationConfig: { url: 'https://h', authentication: { scheme: 'Bearer' } },
      },
    });
    expect(paramsTo03('send', modern)).toEqual(params);
  });

  it.each([
    [
      'a task',
      {
        kind: 'task',
        id: 't',
        contextId: 'c',
        status: { state: 'input-required', message: message03 },
        artifacts: [{ artifactId: 'a', parts: message03.parts }],
        history: [message03],
      },
    ],
    ['a message', message03],
    [
      'a status update',
      { kind: 'status-update', taskId: 't', contextId: 'c', status: { state: 'completed' }, final: true },
    ],
    [
      'an artifact update',
      {
        kind: 'artifact-update',
        taskId: 't',
        contextId: 'c',
        append: true,
        lastChunk: false,
        artifact: { artifactId: 'a', parts: [{ kind: 'text', text: 'x' }] },
      },
    ],
  ])('%s goes over and comes back the same', (_, event) => {
    const modern = resultTo10('stream', event);
    expect(resultTo03('stream', modern)).toEqual(event);
    expect(observeResult(modern)).toEqual({ ...observeResult(event), parts: expect.any(Array) });
  });

  it('push configurations go over and come back the same', () => {
    const config = {
      taskId: 't',
      pushNotificationConfig: { id: 'p', url: 'https://h', authentication: { schemes: ['Bearer'] } },
    };
    expect(resultTo10('push.set', config)).toEqual({
      taskId: 't',
      id: 'p',
      url: 'https://h',
      authentication: { scheme: 'Bearer' },
    });
    expect(resultTo03('push.set', resultTo10('push.set', config))).toEqual(config);
    expect(resultTo03('push.list', { configs: [resultTo10('push.set', config)] })).toEqual([config]);
    expect(paramsTo03('push.get', { taskId: 't', id: 'p' })).toEqual({
      id: 't',
      pushNotificationConfigId: 'p',
    });
  });

  it('errors keep their code where both versions have it', () => {
    expect(errorTo10({ code: -32001, message: 'no' })).toMatchObject({
      code: -32001,
      data: [{ reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' }],
    });
    expect(errorTo03({ code: -32009, message: 'no' })).toMatchObject({ code: -32600 });
    const rest = errorToRest(errorTo10({ code: -32002, message: 'no' }) as never, '1.0');
    expect(rest.status).toBe(409);
    expect(errorFromRest(rest.status, rest.body)).toMatchObject({ code: -32002, message: 'no' });
    expect(errorFromRest(404, { message: 'which task?' })).toEqual({ code: -32001, message: 'which task?' });
    expect(isRestError('1.0', rest.body)).toBe(true);
    expect(isRestError('1.0', { message: 'a page of the gateway' })).toBe(false);
    expect(isRestError('0.3', { message: 'which task?' })).toBe(true);
    expect(isRestError('0.3', { oops: true })).toBe(false);
  });

  it('cards name the same interfaces', () => {
    const card = {
      name: 'a',
      url: 'http://p/rpc',
      protocolVersion: '0.3.0',
      preferredTransport: 'JSONRPC',
      additionalInterfaces: [{ url: 'http://p/rest', transport: 'HTTP+JSON' }],
      capabilities: { streaming: true },
      supportsAuthenticatedExtendedCard: true,
      security: [{ key: [] }, { login: ['read'] }],
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        login: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'http://p/t', scopes: {} } } },
        strange: { type: 'of the future' },
      },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [],
    };
    const modern = cardTo10(card);
    expect(modern).toMatchObject({
      capabilities: { streaming: true, extendedAgentCard: true },
      securityRequirements: [{ schemes: { key: { list: [] } } }, { schemes: { login: { list: ['read'] } } }],
      securitySchemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } },
    });
    expect(interfacesOf(modern)).toEqual(interfacesOf(card));
    expect(cardTo03(modern)).toEqual(card);
  });
});

describe('a card through the relay', () => {
  const publicUrl = 'http://relay/a2a/b';

  it('names the relay everywhere, leaves out what is not carried, and is no longer signed', () => {
    const card = rewriteCard(
      {
        name: 'b',
        supportedInterfaces: [
          { url: 'http://p/x', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
          { url: 'p:50051', protocolBinding: 'GRPC', protocolVersion: '1.0' },
          { url: 'http://p/deep/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: 't' },
        ],
        signatures: [{ protected: 'x', signature: 'y' }],
      },
      { url: publicUrl },
      'both',
    );
    expect(card.signatures).toBeUndefined();
    expect(card.supportedInterfaces).toEqual([
      { url: publicUrl, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: publicUrl, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: 't' },
      { url: publicUrl, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      { url: publicUrl, protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
    ]);
    expect(card).toMatchObject({
      url: publicUrl,
      protocolVersion: '0.3.0',
      preferredTransport: 'JSONRPC',
      additionalInterfaces: [{ url: publicUrl, transport: 'HTTP+JSON' }],
    });
    expect(JSON.stringify(card)).not.toContain('http://p');
  });

  it('says in both versions what it asks of its callers', () => {
    const key = { type: 'apiKey', in: 'header', name: 'X-Key' };
    const modernKey = { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } };
    const shown = {
      capabilities: { streaming: true, extendedAgentCard: true },
      supportsAuthenticatedExtendedCard: true,
      security: [{ key: [] }],
      securityRequirements: [{ schemes: { key: { list: [] } } }],
      securitySchemes: { key: { ...key, ...modernKey } },
    };
    const legacy = {
      url: 'http://p/',
      capabilities: { streaming: true },
      supportsAuthenticatedExtendedCard: true,
      security: [{ key: [] }],
      securitySchemes: { key },
    };
    expect(rewriteCard(legacy, { url: publicUrl }, 'both')).toMatchObject(shown);
    const modern = {
      supportedInterfaces: [{ url: 'http://p/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: { streaming: true, extendedAgentCard: true },
      securityRequirements: shown.securityRequirements,
      securitySchemes: { key: modernKey },
    };
    expect(rewriteCard(modern, { url: publicUrl }, 'both')).toMatchObject(shown);
  });

  it('offers what the relay bridges after what the peer speaks itself', () => {
    const card = rewriteCard(
      { name: 'b', url: 'http://p/', protocolVersion: '0.3.0', preferredTransport: 'HTTP+JSON' },
      { url: publicUrl },
      'both',
    );
    expect(card).toMatchObject({
      url: publicUrl,
      protocolVersion: '0.3.0',
      preferredTransport: 'HTTP+JSON',
      additionalInterfaces: [{ url: publicUrl, transport: 'JSONRPC' }],
    });
    expect(interfacesOf(card).map(({ binding, version }) => `${binding} ${version}`)).toEqual([
      'HTTP+JSON 0.3.0',
      'JSONRPC 1.0',
      'JSONRPC 0.3',
      'HTTP+JSON 1.0',
    ]);
  });
});
