import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../packages/client/src/operations.ts';
import { actionsOf } from '../../src/faces/mcp/actions.ts';
import { NOT_FOR_AGENTS, nextFor } from '../../src/faces/mcp/agent-words.ts';
import { exampleOf } from '../../src/faces/mcp/example.ts';
import type { Operation } from '../../src/spine/operations/define.ts';
import { errorTables } from '../setup/error-tables.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { agentKey, call, overHttp, textOf } from './clients.ts';

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await startTestServer();
  client = await overHttp(server, await agentKey(server, 'newcomer'));
});
afterAll(async () => {
  await client.close();
  await server.close();
});

const actions = actionsOf(Object.values(operations) as Operation[]);

/** Why the smallest example of an action may still be refused: it names something that is not there, or somebody else than the caller, or a right is missing. */
const DOMAIN =
  /^(A2P\d+|\w+_not_found|nothing_known|forbidden|memory_profile_missing|\w+_exhausted|envelope_unverified|task_not_known|channel_state_missing|malformed_key|exchange_\w+|invalid_session_reference|session_not_owned|actor_not_yours): /;

describe('an agent that knows nothing but a schema', () => {
  it.each([...actions.keys()])(
    'is served by the example of %s, or told what is missing and what to call',
    async (id) => {
      const described = await call(client, 'find_action', { action: id });
      const { example } = JSON.parse(textOf(described)) as {
        example: { name: string; arguments: Record<string, unknown> };
      };
      const result = await call(client, example.name, example.arguments);
      if (result.isError !== true) return;
      expect(textOf(result)).toMatch(DOMAIN);
      expect(textOf(result)).not.toMatch(NOT_FOR_AGENTS);
    },
  );

  it('is served by the example of every tool of the core', async () => {
    const { tools } = await client.listTools();
    for (const { name, inputSchema } of tools) {
      const result = await call(client, name, exampleOf(inputSchema) as Record<string, unknown>);
      const text = textOf(result);
      if (result.isError === true)
        expect(text, name).toMatch(/_not_found: |There is no action action\. Use one of: /);
      expect(text, name).not.toMatch(NOT_FOR_AGENTS);
    }
  });

  it('reads no error whose next step it cannot take', async () => {
    const specs = Object.assign({}, ...(await errorTables()).values()) as Record<string, { next: string }>;
    const codes = new Set([...actions.values()].flatMap(({ operation }) => operation.errors));
    const faults = [...codes, 'invalid_input', 'forbidden', 'agent_session', 'rate_limited', 'quota_exceeded']
      .filter((code) => specs[code] !== undefined)
      .map((code) => [code, nextFor(code, specs[code]?.next ?? '')])
      .filter(([, next]) => NOT_FOR_AGENTS.test(next ?? '') || next === 'Tell the person what happened.');
    expect(faults).toEqual([]);
  });
});

describe('a refused call', () => {
  it.each([
    ['journal', { action: 'nothing' }, /Use one of: changes, /],
    ['call_action', { action: 'journal.nothing' }, /Use one of: .*journal\.changes/],
    [
      'call_action',
      { action: 'journal.changes', arguments: { limt: 2 } },
      /does not take limt\. It takes: .*limit/,
    ],
    ['deposit', {}, /title: is missing .*find_action with action context\.deposit/],
    ['deposit', { title: 'x', review_type: 'maybe' }, /review_type: .*"none"\|"human"\|"agent"/],
    ['get_answer', { question_id: 'no' }, /^question_not_found: .*question_id that asking it returned/],
    ['deposit', { title: 'x', files: ['a'] }, /^files_elsewhere: .*git hash-object/],
  ])('names what %s takes instead', async (tool, args, said) => {
    const result = await call(client, tool, args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(said);
  });
});

describe('an argument that has the name of the selector', () => {
  it('reaches its operation, as a tool of its own and by call_action', async () => {
    const { envelope } = JSON.parse(
      textOf(
        await call(client, 'channel', {
          action: 'request',
          request_action: 'review',
          host: 'ci',
          role: 'worker',
        }),
      ),
    ) as { envelope: string };
    expect(envelope).toContain('review');
  });
});
