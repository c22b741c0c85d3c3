import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphPage, graphSvg } from '../../src/faces/cli/commands/relay-graph.ts';
import { batonBinary, runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type RpcPeer, startRpcPeer } from './rpc-peer.ts';

let server: TestServer;
let plain: RpcPeer;
let env: Record<string, string>;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'baton-view-test-'));
  env = { BATON_URL: server.url, BATON_TOKEN: server.ownerToken };
  // Answers a stream with JSON, as a peer without streaming does.
  plain = await startRpcPeer(({ contextId, json }) => {
    const artifacts = [{ artifactId: 'a', parts: [{ kind: 'text', text: 'all at once' }] }];
    json({ result: { kind: 'task', id: 't', contextId, status: { state: 'completed' }, artifacts } });
  });
  await server.client.call('relay.peer.register', { id: 'plain', url: plain.url, version: '0.3' });
});
afterAll(async () => {
  await server.close();
  await plain.close();
  await rm(folder, { recursive: true, force: true });
});

const say = (session: string) => server.fetch(`/v1/relay/stream?to=plain&text=hi&context=${session}`);

describe('baton relay view', () => {
  it('--follow shows each span as it comes, until it is interrupted', async () => {
    await (await say('followed')).text();
    const child = spawn(process.execPath, [await batonBinary(), 'relay', 'view', 'followed', '--follow'], {
      env: { PATH: process.env.PATH ?? '', NO_COLOR: '1', ...env },
    });
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
    });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    await expect.poll(() => shown).toMatch(/relay → plain[\s\S]*out: all at once/);
    const before = shown.length;
    await (await say('followed')).text();
    await expect.poll(() => shown.slice(before)).toContain('a2a.client.stream');
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  it('--svg and --html write the graph beside what is printed', async () => {
    const [svg, html] = [join(folder, 'g.svg'), join(folder, 'g.html')];
    const ran = await runBaton(['relay', 'view', 'followed', '--svg', svg, '--html', html, '--json'], {
      env,
    });
    expect(JSON.parse(ran.stdout).length).toBeGreaterThan(3);
    expect(ran.stderr).toContain(svg);
    expect(await readFile(svg, 'utf8')).toMatch(/^<svg [\s\S]*relay → plain[\s\S]*<\/svg>\n$/);
    expect(await readFile(html, 'utf8')).toContain('<td>relay<td>plain');
  });
});

describe('a stream to a peer that does not stream', () => {
  it('is one event', async () => {
    const text = await (await say('once')).text();
    expect(text.match(/^data:/gm)).toHaveLength(1);
    expect(text).toContain('all at once');
  });
});

describe('the picture of a graph', () => {
  const node = (id: string) => ({ id, spans: 1, errors: 0 });
  const edge = (from: string, to: string) => ({ from, to, spans: 1, errors: from === 'b' ? 1 : 0 });
  const graph = {
    nodes: ['a', 'b', 'relay', '<script>'].map(node),
    edges: [edge('a', 'relay'), edge('relay', 'a'), edge('b', 'b')],
  };

  it('is the same for the same graph, draws both directions apart, and a loop', () => {
    expect(graphSvg(graph)).toBe(graphSvg(structuredClone(graph)));
    const paths = [...graphSvg(graph).matchAll(/<path d="(M[^"]+)"/g)].map((match) => match[1]);
    expect(new Set(paths.slice(1)).size).toBe(3);
    expect(graphSvg(graph)).not.toContain('NaN');
  });

  it('lets no name of an agent become markup', () => {
    expect(graphPage('<b>', graph)).not.toMatch(/<script>|<b>/);
  });
});
