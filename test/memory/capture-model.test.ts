/** A model of the owner's own reads what people said after the rules; here a server of its wire on loopback. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { describeOnSqlite } from '../../src/spine/storage/testing.ts';
import { type World, worldsOn } from './world.ts';

const GARDEN = 'Before noon the hydrangeas come first';
const at = '2026-03-04T11:59:00Z';

interface Asked {
  readonly path: string | undefined;
  readonly key: string | undefined;
  readonly body: { readonly model: string; readonly messages: readonly { role: string; content: string }[] };
}

let server: Server;
const asked: Asked[] = [];
let answer: (text: string) => { status: number; body: string } = () => ({ status: 200, body: '' });

async function startModel(): Promise<string> {
  asked.length = 0;
  server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const body = JSON.parse(text) as Asked['body'];
    asked.push({ path: request.url, key: request.headers.authorization, body });
    const { status, body: sent } = answer(body.messages[1]?.content ?? '');
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(sent);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const statements = (...quotes: readonly string[]) =>
  JSON.stringify({ statements: quotes.map((quote) => ({ quote, kind: 'habit' })) });
const ollama = (content: string) => ({ status: 200, body: JSON.stringify({ message: { content } }) });

afterEach(() => new Promise((done) => (server.listening ? server.close(done) : done(undefined))));

const say = async ({ call }: World, text: string, turn = 't0') =>
  (await call('helper', 'memory.capture', { session: 's-1', turns: [{ id: turn, text, at }] }))
    .proposal_ids as string[];
const waiting = async ({ call }: World) => {
  const { items } = await call('ana', 'inbox.list', { kind: 'memory_batch' });
  return items.length === 0 ? [] : (await call('ana', 'inbox.get', { id: items[0].id })).details.proposals;
};

describeOnSqlite('a model that reads after the rules', (open) => {
  const env: Record<string, string> = {};
  const world = worldsOn(open, { env });
  const consenting = async (kind: string) => {
    Object.assign(env, {
      BATON_PROPOSER: kind,
      BATON_PROPOSER_URL: await startModel(),
      BATON_PROPOSER_MODEL: 'tiny',
    });
    const made = await world();
    await made.allow({ allow: ['a2p:*'] });
    return made;
  };

  it('adds to the same card what it found, and says that it did', async () => {
    const made = await consenting('ollama');
    answer = () => ollama(statements(GARDEN, 'I am the king of Norway', 'I never eat fish'));
    const byRules = await say(made, `I live in Ghent. ${GARDEN}.\n> I never eat fish.`);
    expect(byRules).toHaveLength(1);
    await vi.waitFor(async () => expect(await waiting(made)).toHaveLength(2), { timeout: 20_000 });
    const [rule, model] = await waiting(made);
    expect(rule.context).not.toContain('model');
    expect(model).toMatchObject({
      content: GARDEN,
      context: expect.stringContaining('the model tiny'),
      evidence: [{ quote: GARDEN, span: { turn: 's-1 t0' } }],
    });
    expect(asked[0]?.path).toBe('/api/chat');
    // Nobody else's words leave the machine.
    expect(JSON.stringify(asked)).not.toContain('fish');
  });

  it('reads a turn once, and nothing without consent', async () => {
    const made = await consenting('openai');
    answer = () => ({
      status: 200,
      body: JSON.stringify({ choices: [{ message: { content: statements() } }] }),
    });
    await say(made, `${GARDEN}.`);
    await say(made, `${GARDEN}.`);
    await made.call('ana', 'memory.profile.settings', { capture: 'off' });
    await say(made, 'After dusk the owls come first.', 't1');
    await made.call('ana', 'memory.profile.settings', { capture: 'suggest' });
    await say(made, 'At dawn the bees come first.', 't2');
    await vi.waitFor(() => expect(asked).toHaveLength(2), { timeout: 20_000 });
    expect(asked[0]?.path).toBe('/v1/chat/completions');
    expect(asked.map(({ body }) => body.messages[1]?.content)).toEqual([
      `${GARDEN}.`,
      'At dawn the bees come first.',
    ]);
  });

  it.each([
    ['is away', () => ({ status: 503, body: 'busy' })],
    ['says nothing of use', () => ollama('Sure, here is what I found!')],
    ['never ends', () => ({ status: 200, body: `"${'x'.repeat(100_000)}"` })],
  ])('takes nothing from the rules when it %s', async (_, broken) => {
    const made = await consenting('ollama');
    answer = broken;
    expect(await say(made, `I live in Ghent. ${GARDEN}.`)).toHaveLength(1);
    await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 20_000 });
    answer = () => ollama(statements('After dusk the owls come first'));
    await say(made, 'After dusk the owls come first.', 't1');
    await vi.waitFor(async () => expect(await waiting(made)).toHaveLength(2), { timeout: 20_000 });
    expect((await waiting(made)).map((each: { content: string }) => each.content)).toEqual([
      'I live in Ghent',
      'After dusk the owls come first',
    ]);
  });

  it('is not there unless it is set', async () => {
    await startModel();
    for (const name of Object.keys(env)) delete env[name];
    const made = await world();
    await made.allow({ allow: ['a2p:*'] });
    await say(made, `${GARDEN}.`);
    expect(await waiting(made)).toEqual([]);
    expect(asked).toEqual([]);
  });
});
