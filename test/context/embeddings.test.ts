import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { aPackage, worldOf } from './world.ts';

const DIMS = 8;
const CAT = 'The cat sat on the mat';

/** A model of our own behind the wire of OpenAI: letters counted, so that it is the same at every start. */
function embed(text: string): number[] {
  const vector = Array.from({ length: DIMS }, () => 0);
  for (const letter of text) {
    const at = (letter.codePointAt(0) ?? 0) % DIMS;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  return vector;
}

describeOnEachEngine('vectors beside an export', (open) => {
  let model: Server;
  const asked: string[] = [];
  let folder: string;
  const servers: TestServer[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'baton-embeddings-'));
    model = createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      const { input } = JSON.parse(body) as { input: string[] };
      asked.push(...input);
      const data = input.map((text, index) => ({ index, embedding: embed(text) }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    });
    await new Promise<void>((done) => model.listen(0, '127.0.0.1', done));
  });
  afterAll(async () => {
    await new Promise((done) => model.close(done));
    await rm(folder, { recursive: true, force: true });
  });

  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  async function start(name: string): Promise<TestServer> {
    const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}`;
    const server = await startTestServer({
      databaseUrl: open.urlOf(await open([])),
      embedder: { kind: 'openai', url, model: name },
    });
    servers.push(server);
    return server;
  }

  const cli = async (server: TestServer, ...args: string[]) => {
    const ran = await runBaton([...args, '--json'], {
      env: { BATON_URL: server.url, BATON_TOKEN: server.ownerToken, BATON_DATA: server.dataDir },
    });
    expect([ran.stderr, ran.code]).toEqual(['', 0]);
    return JSON.parse(ran.stdout);
  };

  const vectorsIn = async (server: TestServer): Promise<string[]> =>
    (await worldOf(server).send('GET', '/v1/projects/p/export?file=embeddings')).json.lines;

  async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
    for (;;) {
      const seen = await look();
      if (seen !== undefined) return seen;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  it('are taken where model and text are the same, and left to the server where they are not', async () => {
    const source = await start('letters');
    const { send } = worldOf(source);
    await send(
      'POST',
      '/v1/projects/p/packages',
      aPackage('a', { title: CAT, description: 'Nothing else.' }),
    );
    await send('POST', '/v1/projects/p/packages', aPackage('b', { title: 'Dogs bark' }));
    const rows = await until(async () => {
      const lines = await vectorsIn(source);
      return lines.length >= 3 ? lines.map((line) => JSON.parse(line)) : undefined;
    });
    expect(rows.find(({ package_id, chunk_no }) => package_id === 'a' && chunk_no === 0)).toMatchObject({
      field: 'title',
      content_hash: (await send('GET', '/v1/packages/a')).headers.get('relay-content-hash'),
      model: 'openai:letters',
      dims: DIMS,
      dtype: 'float32',
      normalized: true,
    });

    const path = join(folder, 'out');
    await cli(source, 'export', path, '--project', 'p', '--embeddings');
    const lines = (await readFile(join(path, 'embeddings.ndjson'), 'utf8')).split('\n').filter(Boolean);
    // The vectors of b say that they are of another text.
    const spoilt = lines.map((line) =>
      line.includes('"package_id":"b"') ? line.replace(/"text_sha256":"../, '"text_sha256":"zz') : line,
    );
    await writeFile(join(path, 'embeddings.ndjson'), spoilt.join('\n'));
    await rm(join(path, 'manifest.json'));

    const same = await start('letters');
    asked.length = 0;
    const taken = await cli(same, 'import', path);
    expect(taken).toMatchObject({
      packages: 2,
      embeddings: rows.filter((row) => row.package_id === 'a').length,
    });
    expect((await vectorsIn(same)).filter((line) => line.includes('"package_id":"a"'))).toEqual(
      lines.filter((line) => line.includes('"package_id":"a"')),
    );
    await until(async () => (asked.includes('Dogs bark') ? true : undefined));
    expect(asked).not.toContain(CAT);

    const other = await start('numbers');
    expect(await cli(other, 'import', path)).toMatchObject({ packages: 2, embeddings: 0 });
  });
});
