import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { batonBinary, runBaton } from '../setup/cli.ts';

/** A peer of the benchmarks, which `npm run bench` installs on demand; never a dependency. */
const EVERYTHING = resolve(
  import.meta.dirname,
  '../../bench/node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);
const found = existsSync(EVERYTHING);
if (!found) {
  console.warn('skipped: @modelcontextprotocol/server-everything is missing; run `npm install` in bench/');
}

const named = (items: readonly { name: string }[]) => new Map(items.map((item) => [item.name, item]));
/** `all_get_sum` and `get-sum` are the same word. */
const plain = (name: string) => name.replace(/^all_/, '').replaceAll('-', '_');

/** As they come by the wire: the SDK's client lets go of the last ones when the answer comes in the same moment. */
function progressOn({ transport }: Client): unknown[] {
  const seen: unknown[] = [];
  const onmessage = transport?.onmessage;
  if (transport) {
    transport.onmessage = (message, extra) => {
      if ('method' in message && message.method === 'notifications/progress') {
        seen.push({ ...message.params, progressToken: undefined });
      }
      onmessage?.(message, extra);
    };
  }
  return seen;
}

describe.skipIf(!found)('@modelcontextprotocol/server-everything through the gateway', () => {
  let folder: string;
  let direct: Client;
  let through: Client;

  function client(): Client {
    const made = new Client(
      { name: 'everything', version: '1' },
      { capabilities: { sampling: {}, elicitation: { form: {} }, roots: { listChanged: true } } },
    );
    made.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///work', name: 'work' }] }));
    made.setRequestHandler('sampling/createMessage', async () => ({
      model: 'm',
      role: 'assistant',
      content: { type: 'text', text: 'sampled' },
    }));
    made.setRequestHandler('elicitation/create', async () => ({ action: 'decline' }));
    return made;
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'baton-everything-'));
    const config = join(folder, 'gateway.json');
    const server = { command: process.execPath, args: [EVERYTHING] };
    const policies = [{ policy_id: 'all', type: 'allow' }];
    await writeFile(config, JSON.stringify({ goal: 'Compare', servers: { all: server }, policies }));
    const env = { PATH: process.env.PATH ?? '', BATON_DATA: join(folder, 'data'), NO_COLOR: '1' };
    // Some tools are offered only to clients that can be asked, so the owner's own gateway accepts what it meets.
    await runBaton(['gateway', '--config', config, '--load'], { env });
    direct = client();
    through = client();
    await direct.connect(new StdioClientTransport({ ...server, stderr: 'ignore' }));
    const args = [await batonBinary(), 'gateway', '--config', config];
    await through.connect(
      new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }),
    );
    // It registers what depends on the client's capabilities and roots a moment after it was greeted.
    await vi.waitFor(async () => expect((await listed(through)).length).toBe((await listed(direct)).length), {
      timeout: 30_000,
      interval: 200,
    });
  }, 120_000);
  afterAll(async () => {
    await direct?.close();
    await through?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const listed = async (side: Client) => (await side.listTools(undefined, { cacheMode: 'refresh' })).tools;

  it('has the same tools, hints, titles and schemas', async () => {
    const there = (await listed(through)).map((tool) => ({ ...tool, name: plain(tool.name) }));
    const here = (await listed(direct)).map((tool) => ({ ...tool, name: plain(tool.name) }));
    expect(here.length).toBeGreaterThan(10);
    expect(named(there)).toEqual(named(here));
  });

  it('has the same resources, templates and prompts', async () => {
    expect(await through.listResources()).toEqual(await direct.listResources());
    expect(await through.listResourceTemplates()).toEqual(await direct.listResourceTemplates());
    const { prompts } = await direct.listPrompts();
    expect((await through.listPrompts()).prompts).toEqual(
      prompts.map((prompt) => ({ ...prompt, name: `all_${prompt.name}` })),
    );
    const [resource] = (await direct.listResources()).resources;
    const uri = resource?.uri ?? '';
    expect(await through.readResource({ uri })).toEqual(await direct.readResource({ uri }));
  });

  it('has the same capabilities and instructions', () => {
    expect(through.getServerCapabilities()).toEqual(direct.getServerCapabilities());
    expect(through.getInstructions()).toBe(direct.getInstructions());
  });

  it('sends the same progress notices, and answers the same', async () => {
    const notices = async (side: Client, name: string) => {
      const seen = progressOn(side);
      const args = { name, arguments: { duration: 1, steps: 4 } };
      const result = await side.callTool(args, { onprogress: () => undefined });
      return { seen, result };
    };
    const here = await notices(direct, 'trigger-long-running-operation');
    const there = await notices(through, 'all_trigger_long_running_operation');
    expect(here.seen).toHaveLength(4);
    expect(there).toEqual(here);
    const sum = { arguments: { a: 2, b: 3 } };
    expect(await through.callTool({ ...sum, name: 'all_get_sum' })).toEqual(
      await direct.callTool({ ...sum, name: 'get-sum' }),
    );
  });
});
