import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPackage } from '../context/a-package.ts';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { faultsInDocument, faultsInJson, faultsOnTerminal } from './check.ts';
import { eachAttackOnce, type Injection, corpus as whole } from './corpus.ts';

/** `documents.test.ts` puts the whole corpus through the renderers each time. */
const corpus = process.env.BATON_PROVE === '1' ? whole : eachAttackOnce;
const AT_ONCE = 8;
/** All injections are also together in one project, where lists of the command line show them. */
const TOGETHER = 'together';

let server: TestServer;
let mcp: Client;

beforeAll(async () => {
  server = await startTestServer();
  mcp = new Client({ name: 'test', version: '1' });
  await mcp.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${server.ownerToken}` } },
    }),
  );
  await post('/v1/projects', { project_id: TOGETHER, name: 'Together' });
  await forEach(corpus, async (one, i) => {
    await post('/v1/projects', { project_id: `inj-${i}`, name: clip(one.text), description: one.text });
    for (const project of [`inj-${i}`, TOGETHER]) await fill(project, one, i);
  });
}, 300_000);

afterAll(async () => {
  await mcp.close();
  await server.close();
});

/** A title has at most 200 characters; no attack is longer. */
const clip = (text: string) => text.slice(0, 200);

async function fill(project: string, { text, mark }: Injection, i: number): Promise<void> {
  const at = `/v1/projects/${project}`;
  await post(`${at}/packages`, {
    ...aPackage(`${project}-${i}`, {
      project_id: project,
      created_at: new Date().toISOString(),
      title: clip(text),
      description: text,
      handoff_note: text,
      estimated_next_actor: 'agent',
      package_type: 'handoff',
      decisions_made: [text],
      open_questions: [text],
      content_md: text,
      tags: [text],
      'x-anchors': [],
      'x-own': { [text]: text },
    }),
  });
  await post(`${at}/packages`, {
    ...aPackage(`${project}-${i}-gate`, {
      project_id: project,
      title: clip(text),
      review_type: 'human',
      status: 'awaiting_review',
    }),
  });
  await post(`${at}/facts`, { subject: clip(text), predicate: `${mark} ${clip(text)}`, value: text });
}

async function post(path: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await server.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

async function forEach<T>(items: readonly T[], work: (item: T, at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) await work(items[at] as T, at);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function called(tool: string, args: Record<string, unknown>): Promise<string> {
  const result = await mcp.callTool({ name: tool, arguments: args });
  return (result.content as { text: string }[])[0]?.text ?? '';
}

async function resource(uri: string): Promise<string> {
  const { contents } = await mcp.readResource({ uri });
  return (contents[0] as { text: string }).text;
}

describe('an agent over MCP', () => {
  it('reads no line of another in its orientation, by tool and by resource', async () => {
    await forEach(corpus, async (one, i) => {
      const briefing = await called('context', { action: 'orient', project: `inj-${i}` });
      expect(briefing, one.name).toContain('## Handed over to you');
      expect(briefing, one.name).toContain(one.mark);
      expect(faultsInDocument(briefing, [one]), one.name).toEqual([]);
      expect(faultsInDocument(await resource(`agp://project/inj-${i}`), [one]), one.name).toEqual([]);
    });
  }, 300_000);

  it('reads JSON in which nothing is hidden, and which still means what was written', async () => {
    await forEach(corpus, async (one, i) => {
      const project = `inj-${i}`;
      const stored = await resource(`agp://project/${project}/package/${project}-${i}`);
      expect(JSON.parse(stored), one.name).toMatchObject({
        description: one.text,
        'x-own': { [one.text]: one.text },
      });
      for (const text of [
        stored,
        await resource(`agp://project/${project}/facts`),
        await called('search', { action: 'search', query: one.mark, project }),
        await called('facts', { action: 'query', project }),
      ]) {
        expect(faultsInJson(text), one.name).toEqual([]);
      }
    });
    for (const [tool, args] of [
      ['inbox', { action: 'list', limit: 100 }],
      ['journal', { action: 'changes', limit: 100 }],
      ['context', { action: 'orchestrate' }],
    ] as const) {
      expect(faultsInJson(await called(tool, args)), tool).toEqual([]);
    }
  }, 300_000);

  it('reads refusals that repeat a text of somebody without breaking their line', async () => {
    await forEach(corpus, async (one) => {
      for (const text of [
        await called('context', { action: 'lineage', package_id: one.text }),
        await called('context', { action: 'orient', project: one.text }),
        await called('context', { action: 'deposit', title: one.text, package_type: one.text }),
      ]) {
        expect(text.split('\n'), one.name).toHaveLength(1);
        expect(faultsOnTerminal(text, [one]), one.name).toEqual([]);
      }
    });
  }, 300_000);
});

describe('an agent in a channel', () => {
  it('reads a page whose titles, authors and documents are quoted; an author must be an actor id', async () => {
    await forEach(corpus, async (one) => {
      const { id } = await post('/agent-channel', { title: clip(one.text) });
      for (const kind of ['spec', 'state', 'note']) {
        await post(`/agent-channel/${id}/event`, {
          kind,
          payload: { [one.text]: { deep: one.text }, concepts: [] },
        });
      }
      const response = await server.fetch(`/agent-channel/${id}?format=markdown`);
      expect(faultsInDocument(await response.text(), [one]), one.name).toEqual([]);
      const refused = await server.fetch(`/agent-channel/${id}/event`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ kind: 'note', author: one.text.slice(0, 128), payload: {} }),
      });
      expect(refused.status, one.name).toBe(400);
    });
  }, 300_000);
});

describe('a person at a terminal', () => {
  const LISTS: readonly (readonly string[])[] = [
    ['packages', 'list', '--project', TOGETHER, '--limit', '200'],
    ['facts', 'list', '--project', TOGETHER, '--limit', '200'],
    ['projects', 'list', '--limit', '200'],
    ['inbox', 'list', '--limit', '100'],
    ['channel', 'list', '--limit', '500'],
    ['search', 'System', '--project', TOGETHER],
    ['journal', 'list'],
    ['orchestrate'],
    ['packages', 'show', `${TOGETHER}-3`],
    ['why', `${TOGETHER}-4`],
  ];

  it.each(LISTS)(
    'sees no line that begins with a text of others: %s %s',
    async (...args) => {
      const given = args.filter((word) => word !== undefined) as string[];
      const env = { BATON_URL: server.url, BATON_TOKEN: server.ownerToken, BATON_DATA: server.dataDir };
      const plain = await runBaton(given, { env });
      expect(plain.stderr).toBe('');
      expect(plain.stdout.length).toBeGreaterThan(50);
      expect(faultsOnTerminal(plain.stdout, corpus)).toEqual([]);
      const json = await runBaton([...given, '--json'], { env });
      expect(faultsInJson(json.stdout)).toEqual([]);
    },
    60_000,
  );

  it('sees a briefing as an agent does, and refusals on one line', async () => {
    const env = { BATON_URL: server.url, BATON_TOKEN: server.ownerToken, BATON_DATA: server.dataDir };
    const { stdout } = await runBaton(['orient', '--project', TOGETHER], { env });
    expect(faultsInDocument(stdout, corpus)).toEqual([]);
    for (const one of corpus.filter((_, i) => i % 61 === 0)) {
      const { stderr } = await runBaton(['packages', 'show', `x${one.text}`], { env });
      expect(stderr.trimEnd().split('\n'), one.name).toHaveLength(2);
      expect(faultsOnTerminal(stderr, [one]), one.name).toEqual([]);
    }
  }, 120_000);
});
