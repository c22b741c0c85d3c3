/** Clients of the official SDK that speak through the relay. */
import { type AgentCard, type Message, Role, type Task } from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { expect } from 'vitest';
import type { TestServer } from '../setup/server.ts';
import { sdkMessage, wordsOf } from './sdk-message.ts';
import type { Binding, Version } from './sdk-peer.ts';

export function relayFetch(server: TestServer): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('x-baton-key', server.ownerToken);
    headers.set('authorization', 'Bearer for-the-peer');
    return fetch(input, { ...init, headers });
  };
}

/** A client that speaks this version by this binding, to the address that the card through the relay gives for it. */
export async function sdkClient(
  server: TestServer,
  version: Version,
  agent: string,
  binding: Binding = 'JSONRPC',
) {
  const options = { fetchImpl: relayFetch(server), legacyCompat: { enabled: true } };
  const base = `${server.url}/a2a/${agent}`;
  const card = await new DefaultAgentCardResolver(options).resolve(`${base}/`);
  const supportedInterfaces = card.supportedInterfaces.filter(
    (one) => one.protocolVersion.startsWith(version) && one.protocolBinding === binding,
  );
  expect(supportedInterfaces.map(({ url }) => url)).toEqual([base]);
  const factory = new ClientFactory({
    ...ClientFactoryOptions.default,
    transports: [new JsonRpcTransportFactory(options), new RestTransportFactory(options)],
  });
  return factory.createFromAgentCard({ ...card, supportedInterfaces } as AgentCard);
}

export function say(text: string, more: Partial<Message> = {}) {
  return {
    tenant: '',
    message: {
      ...sdkMessage(Role.ROLE_USER, text, {
        messageId: `m-${text}-${Math.random()}`,
        contextId: 'ctx-matrix',
        taskId: '',
      }),
      ...more,
    },
    configuration: undefined,
    metadata: undefined,
  };
}

export function artifactText(task: Task): string {
  return task.artifacts.map(({ parts }) => wordsOf(parts)).join('');
}
