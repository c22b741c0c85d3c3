import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeHasher } from '../../src/platform/index.ts';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { aPackage, type World, worldOf } from './world.ts';

describe('the command line', () => {
  let server: TestServer;
  let world: World;
  beforeAll(async () => {
    server = await startTestServer();
    world = worldOf(server);
  });
  afterAll(async () => {
    await server.close();
  });
  const baton = (...args: string[]) => runBaton(args, { env: { BATON_DATA: server.dataDir } });

  it('deposits with a title alone, keeps commas in decisions, and orients the next one', async () => {
    const made = await baton(
      'deposit',
      ...[
        '--title',
        'Chose the store',
        '--decisions',
        'SQLite first, PostgreSQL later',
        'No cache',
        '--questions',
        'Who migrates?',
      ],
      ...['--handoff', 'Start with the schema', '--json'],
    );
    expect(made.stderr).toBe('');
    const stored = JSON.parse(made.stdout);
    expect(stored).toMatchObject({
      project_id: 'default',
      created_by: { id: 'owner', type: 'human' },
      decisions_made: ['SQLite first, PostgreSQL later', 'No cache'],
    });
    expect(stored.package_id).toMatch(/^pkg_[0-9a-f]{32}$/);
    const oriented = await baton('orient');
    expect([oriented.code, oriented.stderr]).toEqual([0, '']);
    expect(oriented.stdout).toContain('> Start with the schema');
    expect(oriented.stdout).toContain('> Who migrates?');
    expect(JSON.parse((await baton('orient', '--json')).stdout).open_questions).toEqual(['Who migrates?']);
  });

  it('asserts and asks facts, and pulls', async () => {
    expect((await baton('facts', 'assert', 'api', 'status', 'green')).code).toBe(0);
    expect((await baton('facts', 'assert', 'api', 'status', 'green')).code).toBe(0);
    const listed = JSON.parse((await baton('facts', 'list', 'api', '--history', '--json')).stdout);
    expect(listed).toHaveLength(1);
    const pulled = JSON.parse((await baton('pull', '--query', 'store', '--json')).stdout);
    expect(pulled[0].title).toBe('Chose the store');
  });

  it('prints nothing and succeeds in a hook where there is no such project', async () => {
    const quiet = await baton('orient', '--hook', '--project', 'nowhere');
    expect([quiet.code, quiet.stdout, quiet.stderr]).toEqual([0, '', '']);
    expect((await baton('orient', '--project', 'nowhere')).code).not.toBe(0);
  });

  it('signs a package; the signature stays good through review and goes bad with its key', async () => {
    const body = aPackage('signed', {
      project_id: 'default',
      status: 'awaiting_review',
      review_type: 'human',
    });
    await world.send('POST', '/v1/projects/default/packages', body);
    expect((await baton('attest', 'signed', '--role', 'reviewer')).stderr).toBe('');
    await world.send('POST', '/v1/packages/signed/review', { verdict: 'approve' });
    const listed = JSON.parse((await baton('attestations', 'signed', '--json')).stdout).attestations;
    expect(listed).toMatchObject([{ valid: true, actor: { id: 'owner' }, role: 'reviewer' }]);
    const key = await world.send(
      'DELETE',
      '/v1/projects/default/facts?subject=actor:human/owner&predicate=signing_key',
    );
    expect(key.json).toEqual({ invalidated: 1 });
    const after = (await world.send('GET', '/v1/packages/signed/attestations')).json.attestations;
    expect(after).toMatchObject([{ valid: false, reason: 'key_revoked' }]);
  });

  it('keeps deliverables under their hash, and refuses bytes that have another', async () => {
    const bytes = 'a deliverable';
    const path = `/v1/projects/default/blobs/sha256:${nodeHasher.hex(bytes)}`;
    const plain = { headers: { 'content-type': 'text/plain' } };
    expect((await world.send('PUT', path, bytes, plain)).status).toBe(201);
    expect((await world.send('PUT', path, bytes, plain)).status).toBe(200);
    const read = await world.send('GET', path);
    expect([read.text, read.headers.get('content-type')]).toEqual([bytes, 'text/plain']);
    expect(read.headers.get('content-disposition')).toBe('attachment');
    const wrong = await world.send('PUT', path, 'other bytes', plain);
    expect([wrong.status, wrong.json.error.code]).toEqual([400, 'hash_mismatch']);
    const missing = await world.send('GET', `/v1/projects/default/blobs/sha256:${'0'.repeat(64)}`);
    expect([missing.status, missing.json.error.code]).toEqual([404, 'blob_not_found']);
  });
});
