import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nodeHasher } from '../../src/platform/index.ts';
import { openDatabase } from '../../src/spine/storage/open.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { isLeftInStore } from '../setup/left-in-store.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { aPackage, type World, worldOf } from './world.ts';

describeOnEachEngine('redaction', (open) => {
  let server: TestServer;
  let world: World;
  let folder: string;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'baton-redact-'));
    url =
      open.engine === 'sqlite' ? `sqlite:${join(folder, 'store', 'baton.db')}` : open.urlOf(await open([]));
    server = await startTestServer({ databaseUrl: url, dataDir: join(folder, 'store') });
    world = worldOf(server);
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function left(words: readonly string[]): Promise<string[]> {
    const db = await openDatabase(url);
    try {
      const found = [];
      for (const word of words) if (await isLeftInStore(db, url, word)) found.push(word);
      return found;
    } finally {
      await db.close();
    }
  }

  it('leaves no byte of a package: rows, index, reviews, inbox, kept answers, blobs, free pages', async () => {
    const { send, token } = world;
    const ada = await token('ada', 'agent');
    const reviewer = await token('rex', 'human');
    const bytes = 'bytes of a wugblob';
    const hash = `sha256:${nodeHasher.hex(bytes)}`;
    const shared = `sha256:${nodeHasher.hex('plainblob')}`;
    const base = '/v1/projects/p';
    await send('POST', '/v1/projects', { project_id: 'p' });
    await send('PUT', `${base}/blobs/${hash}`, bytes);
    await send('PUT', `${base}/blobs/${shared}`, 'plainblob');
    await send('POST', `${base}/packages`, aPackage('stays', { storage_path: shared, title: 'Plainhorse' }));
    const secret = aPackage('leak', {
      title: 'A quuxzebra title',
      description: 'fleemgiraffe',
      content_md: '# blorptapir',
      open_questions: ['Where is the snarfbanjo?'],
      decisions_made: ['gloopcough'],
      handoff_note: 'vortpolka',
      tags: ['drumpjazz'],
      deliverables: [{ path: 'kloptechno.ts', type: 'ts', hash }],
      storage_path: shared,
      'x-refs': [{ rel: 'cites', project_id: 'yimturnip', package_id: 'zorkpotato' }],
      'x-parents': ['stays'],
      status: 'awaiting_review',
      review_type: 'human',
    });
    const first = await send('POST', `${base}/packages`, secret, {
      token: ada,
      headers: { 'idempotency-key': 'once' },
    });
    expect(first.status).toBe(201);
    await send('GET', `${base}/orient`, undefined, { headers: { 'idempotency-key': 'bundle' } });
    const decide = { verdict: 'request_changes', note: 'the hexwalrus is wrong' };
    expect((await send('POST', '/v1/packages/leak/review', decide, { token: reviewer })).status).toBe(200);
    const words = [
      ...['quuxzebra', 'fleemgiraff', 'blorptapir', 'snarfbanjo', 'gloopcough', 'vortpolka', 'drumpjazz'],
      ...['kloptechno', 'yimturnip', 'zorkpotato', 'hexwalrus', 'wugblob'],
    ];
    expect(await left(words)).toEqual(words);

    expect((await send('POST', '/v1/packages/leak/redact', { reason: 'a secret' })).status).toBe(200);
    expect(await left(words)).toEqual([]);
    expect(await left(['plainhors', 'plainblob'])).toEqual(['plainhors', 'plainblob']);

    const log = (await send('GET', '/v1/packages/leak/reviews')).json;
    expect(log).toMatchObject({ intact: true, entries: [{ note: null, note_hash: expect.any(String) }] });
    expect((await send('GET', '/v1/packages/leak/lineage')).json.ancestors).toMatchObject([
      { package_id: 'stays' },
    ]);
    const again = await send('POST', `${base}/packages`, secret, {
      token: ada,
      headers: { 'idempotency-key': 'once' },
    });
    expect([again.status, again.json.error.code]).toEqual([410, 'package_redacted']);
    expect((await send('GET', '/v1/inbox?state=superseded')).text).not.toContain('quuxzebra');
    expect(await left(words)).toEqual([]);
  });

  it('is done, and no error, while another process reads the file; the bytes go when it has gone', async () => {
    if (open.engine !== 'sqlite') return;
    const { send } = world;
    await send('POST', '/v1/projects', { project_id: 'q' });
    const held = aPackage('held', { project_id: 'q', title: 'A crumbwombat' });
    expect((await send('POST', '/v1/projects/q/packages', held)).status).toBe(201);
    const holder = new DatabaseSync(url.slice('sqlite:'.length), { readOnly: true });
    holder.exec('begin');
    holder.prepare('select count(*) from packages').get();
    const answer = await send('POST', '/v1/packages/held/redact?project=q', { reason: 'a secret' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('relay-warning')).toContain('bytes are left (wal)');
    expect(await left(['crumbwombat'])).toEqual(['crumbwombat']);
    holder.exec('rollback');
    holder.close();
    expect((await send('POST', '/v1/packages/held/redact?project=q', { reason: 'a secret' })).status).toBe(
      200,
    );
    expect(await left(['crumbwombat'])).toEqual([]);
  }, 30_000);
});
