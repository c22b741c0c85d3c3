import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import { startRun } from '../runs/start.ts';
import { type TestRepository, testRepository } from '../testing.ts';
import { accept } from '../turns/accept.ts';
import { assign } from '../turns/assign.ts';
import { dispatch } from '../turns/dispatch.ts';
import { step } from '../turns/step.ts';
import type { AskPeer } from './a2a.ts';
import { runtimeAdapters } from './adapters.ts';
import { callRuntime } from './call-runtime.ts';

const SERVER_ENTRY = new URL('../../../../node_modules/@modelcontextprotocol/server/dist/', import.meta.url)
  .href;

/** How a config names an environment variable. */
const variable = (name: string) => ['$', '{', name, '}'].join('');

function config(runtime: LooseRecord, authority = 'proposed'): LooseRecord {
  return {
    schema_version: '1.0',
    project: { id: 'p', name: 'P' },
    roles: { dev: { title: 'Dev', mandate: 'Build', write_authority: authority, runtime: 'remote' } },
    runtimes: { remote: runtime },
    routing: { implementation: { entry_role: 'dev', allowed_next_roles: ['dev', 'human'] } },
  };
}

function proposal(request: LooseRecord): LooseRecord {
  return {
    schema_version: '1.0',
    run_id: request.run_id,
    turn_id: request.turn_id,
    role: request.role,
    runtime_id: request.runtime_id,
    status: 'completed',
    summary: 'Proposed the change',
    decisions: [],
    objections: [],
    files_changed: [],
    proposed_changes: [{ path: 'src/a.ts', action: 'create', content: 'export {};\n' }],
    verification: { status: 'skipped' },
    artifact: { type: 'patch' },
    proposed_next_role: 'human',
  };
}

async function bodyOf(request: IncomingMessage): Promise<LooseRecord> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as LooseRecord;
}

describe('a runtime', () => {
  let repo: TestRepository;
  let server: Server | undefined;
  afterEach(() => {
    repo.remove();
    server?.close();
    server = undefined;
  });

  async function listen(
    answer: (request: IncomingMessage, body: LooseRecord) => { status?: number; body: unknown },
  ): Promise<string> {
    server = createServer(async (request, response) => {
      const answered = answer(request, await bodyOf(request));
      response.writeHead(answered.status ?? 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answered.body));
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function dispatched(runtime: LooseRecord, authority?: string) {
    repo = testRepository(config(runtime, authority));
    const repository = repo.open();
    await startRun(repository);
    const { turn } = await assign(repository);
    await dispatch(repository, turn.turn_id);
    return { repository, turn };
  }

  /** A model that fills in the ids it finds in the prompt. */
  const modelAnswer = (prompt: string) => {
    const find = (pattern: RegExp) => pattern.exec(prompt)?.[1] ?? '';
    return JSON.stringify(
      proposal({
        run_id: find(/"run_id": "([^"]+)"/),
        turn_id: find(/"turn_id": "([^"]+)"/),
        role: 'dev',
        runtime_id: 'remote',
      }),
    );
  };

  it('of type remote_agent posts the turn and takes the answer as its result', async () => {
    let seen: LooseRecord = {};
    process.env.BATON_TEST_REMOTE_TOKEN = 'tok-123456789';
    const base = await listen((request, body) => {
      seen = { ...body, authorization: request.headers.authorization };
      return { body: proposal(body) };
    });
    const { repository, turn } = await dispatched({
      type: 'remote_agent',
      url: `${base}/turn`,
      headers: { authorization: `Bearer ${variable('BATON_TEST_REMOTE_TOKEN')}` },
    });
    expect(await callRuntime(repository, turn.turn_id, { adapters: runtimeAdapters() })).toEqual({
      kind: 'staged',
    });
    expect(seen).toMatchObject({
      turn_id: turn.turn_id,
      role: 'dev',
      phase: 'implementation',
      authorization: 'Bearer tok-123456789',
    });
    expect(await accept(repository)).toMatchObject({ outcome: 'accepted' });
    expect(repo.read(`.agentxchain/proposed/${turn.turn_id}/files/src/a.ts`)).toBe('export {};\n');
  });

  it('of type remote_agent says which secret is missing, and never shows one', async () => {
    const base = await listen(() => ({ status: 500, body: { error: 'Bearer tok-abcdefghijk leaked' } }));
    const first = await dispatched({
      type: 'remote_agent',
      url: base,
      headers: { 'x-key': variable('BATON_TEST_UNSET') },
    });
    expect(
      await callRuntime(first.repository, first.turn.turn_id, { adapters: runtimeAdapters() }),
    ).toMatchObject({
      kind: 'failed',
      message: 'The environment variable BATON_TEST_UNSET is not set.',
    });
    repo.remove();
    const second = await dispatched({ type: 'remote_agent', url: base });
    const outcome = await callRuntime(second.repository, second.turn.turn_id, {
      adapters: runtimeAdapters(),
    });
    expect(outcome).toMatchObject({ kind: 'failed', retryable: true });
    expect(JSON.stringify(outcome)).not.toContain('abcdefghijk');
    expect(repo.read('.agentxchain/events.jsonl')).not.toContain('abcdefghijk');
  });

  it('of type api_proxy speaks to an OpenAI-compatible server and books the tokens', async () => {
    const calls: LooseRecord[] = [];
    const base = await listen((request, body) => {
      calls.push({ url: request.url, authorization: request.headers.authorization, model: body.model });
      if (calls.length === 1) return { status: 429, body: { error: { message: 'slow down' } } };
      const messages = body.messages as { content: string }[];
      return {
        body: {
          choices: [{ message: { role: 'assistant', content: modelAnswer(messages[1]?.content ?? '') } }],
          usage: { prompt_tokens: 1000, completion_tokens: 500 },
        },
      };
    });
    process.env.BATON_TEST_API_KEY = 'key-1';
    const { repository } = await dispatched({
      type: 'api_proxy',
      provider: 'openai',
      base_url: `${base}/v1`,
      model: 'local-model',
      api_key_env: 'BATON_TEST_API_KEY',
      pricing: { input_per_million_usd: 2, output_per_million_usd: 8 },
    });
    const done = await step(repository, { adapters: runtimeAdapters() });
    expect(done).toMatchObject({ outcome: 'accepted' });
    expect(calls).toEqual(
      [1, 2].map(() => ({
        url: '/v1/chat/completions',
        authorization: 'Bearer key-1',
        model: 'local-model',
      })),
    );
    expect(done.state.budget_status.spent_usd).toBe(0.006);
  });

  it('of type api_proxy speaks to an Anthropic-compatible server, and does not repeat a refused key', async () => {
    let calls = 0;
    const base = await listen((request, body) => {
      calls += 1;
      if (request.headers['x-api-key'] !== 'right') return { status: 401, body: { type: 'error' } };
      const messages = body.messages as { content: string }[];
      expect(request).toMatchObject({ url: '/v1/messages' });
      expect(request.headers['anthropic-version']).toBe('2023-06-01');
      const text = `Here it is:\n\`\`\`json\n${modelAnswer(messages[0]?.content ?? '')}\n\`\`\``;
      return { body: { content: [{ type: 'text', text }], usage: { input_tokens: 10, output_tokens: 5 } } };
    });
    const runtime = {
      type: 'api_proxy',
      provider: 'anthropic',
      base_url: base,
      model: 'm',
      api_key_env: 'BATON_TEST_ANTHROPIC',
    };
    process.env.BATON_TEST_ANTHROPIC = 'wrong';
    const first = await dispatched(runtime);
    expect(
      await callRuntime(first.repository, first.turn.turn_id, { adapters: runtimeAdapters() }),
    ).toMatchObject({ kind: 'failed', retryable: false });
    expect(calls).toBe(1);
    process.env.BATON_TEST_ANTHROPIC = 'right';
    await dispatch(first.repository, first.turn.turn_id);
    expect(await step(first.repository, { adapters: runtimeAdapters() })).toMatchObject({
      outcome: 'accepted',
    });
  });

  it('of type mcp calls its tool over stdio', async () => {
    const program = `
      import { McpServer } from ${JSON.stringify(`${SERVER_ENTRY}index.mjs`)};
      import { StdioServerTransport } from ${JSON.stringify(`${SERVER_ENTRY}stdio.mjs`)};
      const { z } = await import(${JSON.stringify(new URL('../../../../node_modules/zod/index.js', import.meta.url).href)});
      const server = new McpServer({ name: 'agent', version: '1' });
      server.registerTool('agentxchain_turn', { inputSchema: z.object({ run_id: z.string(), turn_id: z.string(), role: z.string(), runtime_id: z.string() }).passthrough() },
        async (a) => ({ content: [{ type: 'text', text: JSON.stringify({ ...${JSON.stringify(proposal({}))}, run_id: a.run_id, turn_id: a.turn_id, role: a.role, runtime_id: a.runtime_id }) }] }));
      await server.connect(new StdioServerTransport());
    `;
    const { repository, turn } = await dispatched({ type: 'mcp', command: ['node', 'server.mjs'] });
    repo.write('server.mjs', program);
    expect(await callRuntime(repository, turn.turn_id, { adapters: runtimeAdapters() })).toEqual({
      kind: 'staged',
    });
    expect(await accept(repository)).toMatchObject({ outcome: 'accepted' });
  });

  it('of type mcp that does not start is a failure that may be repeated', async () => {
    const { repository, turn } = await dispatched({
      type: 'mcp',
      command: ['node', '-e', 'process.exit(3)'],
    });
    expect(await callRuntime(repository, turn.turn_id, { adapters: runtimeAdapters() })).toMatchObject({
      kind: 'failed',
      retryable: true,
    });
  });

  it('of type a2a goes through the relay that it is given', async () => {
    const { repository, turn } = await dispatched({ type: 'a2a', peer: 'builder' });
    const asked: unknown[] = [];
    const adapters = runtimeAdapters({
      askPeer: async ({ text, ...request }) => {
        asked.push(request);
        return { text: modelAnswer(text), state: 'completed' };
      },
    });
    expect(await callRuntime(repository, turn.turn_id, { adapters })).toEqual({ kind: 'staged' });
    expect(asked).toEqual([{ root: repo.root, peer: 'builder', role: 'dev', runId: turn.run_id }]);
    const outcome = (askPeer?: AskPeer) =>
      callRuntime(repository, turn.turn_id, { adapters: runtimeAdapters(askPeer && { askPeer }) });
    expect(await outcome()).toMatchObject({ kind: 'failed', message: expect.stringMatching(/baton up/) });
    expect(await outcome(async () => ({ text: 'no', state: 'rejected' }))).toMatchObject({
      kind: 'failed',
      message: '"builder" did not answer with a turn result: no',
    });
  });

  it('of type local_cli that stages nothing is sent back, then given up on', async () => {
    const { repository } = await dispatched(
      { type: 'local_cli', command: ['node', '-e', 'process.exit(7)'] },
      'authoritative',
    );
    const adapters = runtimeAdapters();
    expect(await step(repository, { adapters })).toMatchObject({
      outcome: 'rejected',
      message: expect.stringContaining('ended with 7'),
    });
    expect(await step(repository, { adapters })).toMatchObject({
      outcome: 'blocked',
      next: 'baton run resume',
    });
  });

  it('of type local_cli that cannot be found says so', async () => {
    const { repository, turn } = await dispatched(
      { type: 'local_cli', command: ['no-such-agent-program'] },
      'authoritative',
    );
    expect(await callRuntime(repository, turn.turn_id, { adapters: runtimeAdapters() })).toMatchObject({
      kind: 'failed',
      event: 'runtime_spawn_failed',
    });
    expect(repo.rows('.agentxchain/events.jsonl').at(-1)).toMatchObject({
      event_type: 'runtime_spawn_failed',
    });
  });
});
