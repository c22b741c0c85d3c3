import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnPostgres } from '../../src/spine/storage/testing.ts';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { createHistory, type RandomOperation, randomOperation } from './random-operations.ts';
import { aPackage, worldOf } from './world.ts';

const prove = process.env.BATON_PROVE === '1';
const RUNS = prove ? 30 : 2;
const PATIENCE = prove ? 1_200_000 : 180_000;
const FILES = ['projects', 'sessions', 'packages', 'hashes', 'facts', 'blobs'];
/** What was destroyed before it was carried arrives after the others of its page. */
const UNORDERED = ['tombstones', 'reviews', 'attestations'];

type Step = RandomOperation | { readonly kind: 'carry' | 'carry and lose the cursor' | 'restart the copy' };

describeOnPostgres('a copy that follows another server', (open) => {
  let source: TestServer;
  let copy: TestServer;
  let folder: string;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'baton-sync-'));
    url = open.urlOf(await open([]));
    source = await startTestServer();
    copy = await startTestServer({ databaseUrl: url, dataDir: join(folder, 'copy') });
  });
  afterAll(async () => {
    await Promise.all([source?.close(), copy?.close()]);
    await rm(folder, { recursive: true, force: true });
  });

  const sync = async (project: string) => {
    const ran = await runBaton(
      [
        ...['sync', '--project', project, '--json'],
        ...['--from', source.url, '--from-token', source.ownerToken],
        ...['--to', copy.url, '--to-token', copy.ownerToken],
      ],
      { env: { BATON_DATA: folder } },
    );
    expect([ran.stderr, ran.code]).toEqual(['', 0]);
    return JSON.parse(ran.stdout);
  };

  async function exported(server: TestServer, project: string): Promise<Record<string, string[]>> {
    const files: Record<string, string[]> = {};
    for (const file of [...FILES, ...UNORDERED]) {
      const lines: string[] = [];
      let after = '';
      for (;;) {
        const query = `file=${file}${after && `&after=${encodeURIComponent(after)}`}`;
        const page = await worldOf(server).send('GET', `/v1/projects/${project}/export?${query}`);
        lines.push(...page.json.lines);
        if (page.json.next === null) break;
        after = page.json.next;
      }
      files[file] = UNORDERED.includes(file) ? lines.sort() : lines;
    }
    return files;
  }

  /** One page, as the command does it; a crash in between means that the cursor was not kept. */
  async function carry(project: string, cursor: string | undefined, limit: number): Promise<string> {
    const at = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await worldOf(source).send('GET', `/v1/projects/${project}/sync?limit=${limit}${at}`);
    const taken = await worldOf(copy).send('POST', '/v1/import', { ...page.json.batch, mirror: true });
    expect([taken.status, taken.text]).toEqual([200, expect.anything()]);
    return page.json.cursor;
  }

  const step: fc.Arbitrary<Step> = fc.oneof(
    { arbitrary: randomOperation, weight: 8 },
    {
      arbitrary: fc.record({ kind: fc.constantFrom('carry' as const, 'carry and lose the cursor' as const) }),
      weight: 3,
    },
  );

  it(
    'is the same in the end, whatever happens, wherever it is interrupted',
    async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 20, maxLength: 60 }),
          fc.array(step, { maxLength: 30 }),
          async (before, after) => {
            run += 1;
            const project = `mirror${run}`;
            await worldOf(source).send('POST', '/v1/projects', { project_id: project, 'x-mine': [run] });
            const apply = await createHistory(worldOf(source), project);
            let cursor: string | undefined;
            const steps: Step[] = [...before, { kind: 'restart the copy' }, ...after];
            for (const one of steps) {
              if (one.kind === 'carry') cursor = await carry(project, cursor, 5);
              else if (one.kind === 'carry and lose the cursor') await carry(project, cursor, 5);
              else if (one.kind === 'restart the copy') {
                await copy.close();
                copy = await startTestServer({ databaseUrl: url, dataDir: join(folder, 'copy') });
              } else await apply(one as RandomOperation);
            }
            await sync(project);
            expect(await exported(copy, project)).toEqual(await exported(source, project));
            const { json } = await worldOf(copy).send('GET', `/v1/projects/${project}/integrity`);
            expect(json.mismatches).toEqual([]);
            expect(await sync(project)).toEqual({});
          },
        ),
        { numRuns: RUNS, endOnFailure: true },
      );
    },
    PATIENCE,
  );

  it('destroys what was destroyed at its source, with the blob that only it named', async () => {
    const { send } = worldOf(source);
    const there = worldOf(copy);
    const base = '/v1/projects/secret';
    const hash = 'sha256:8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4';
    await send('POST', '/v1/projects', { project_id: 'secret' });
    await send('PUT', `${base}/blobs/${hash}`, 'hi');
    await send(
      'POST',
      `${base}/packages`,
      aPackage('leak', {
        project_id: 'secret',
        title: 'The hunter2 of it',
        storage_path: hash,
        status: 'awaiting_review',
        review_type: 'human',
      }),
    );
    await sync('secret');
    expect((await there.send('GET', '/v1/packages/leak')).text).toContain('hunter2');
    expect((await there.send('GET', `${base}/blobs/${hash}`)).text).toBe('hi');
    expect((await there.send('GET', '/v1/inbox?kind=package_review')).text).toContain('hunter2');
    await send('POST', '/v1/packages/leak/redact', { reason: 'a password' });
    expect(await sync('secret')).toMatchObject({ redacted: 1 });
    expect((await there.send('GET', '/v1/packages/leak')).status).toBe(410);
    expect((await there.send('GET', '/v1/packages/leak?envelope=1')).json.tombstone).toMatchObject({
      reason: 'a password',
    });
    expect((await there.send('GET', `${base}/blobs/${hash}`)).status).toBe(404);
    expect((await there.send('GET', '/v1/inbox?kind=package_review')).text).not.toContain('hunter2');
  });

  it('goes on past a package that no longer matches its hash', async () => {
    const { send } = worldOf(source);
    await send('POST', '/v1/projects/p/packages', aPackage('damaged'));
    await send('POST', '/v1/projects/p/packages', aPackage('sound'));
    await source.app.db.write((uow) =>
      uow.run(
        `update packages set original = replace(original, 'Package', 'Parcel!') where package_id = 'damaged'`,
      ),
    );
    expect((await send('GET', '/v1/packages/damaged')).headers.get('relay-integrity')).toBe('mismatch');
    expect(await sync('p')).toMatchObject({ packages: 1 });
    expect((await worldOf(copy).send('GET', '/v1/packages/sound')).status).toBe(200);
  });

  it('begins anew with a cursor that says nothing to its source', async () => {
    const reply = await worldOf(source).send('GET', '/v1/projects/secret/sync?cursor=copy:1:nothing:');
    expect([reply.status, reply.json.error.code]).toEqual([400, 'invalid_cursor']);
  });
});
