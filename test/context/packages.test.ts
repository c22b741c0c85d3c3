import { describe, expect, it } from 'vitest';
import { canonicalAgentic } from '../../src/kernel/json/canonical/agentic.ts';
import { readJson } from '../../src/kernel/json/reader.ts';
import { nodeHasher } from '../../src/platform/index.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { aPackage, worldOn } from './world.ts';

const specExample = `{
  "package_id": "pkg_1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d",
  "project_id": "proj_dev_relay",
  "relay_version": "0.1",
  "title": "Shipped archive/de-archive",
  "status": "complete",
  "package_type": "milestone",
  "review_type": "none",
  "created_at": "2026-04-18T20:00:00Z",
  "created_by": { "id": "jordan", "type": "human", "session_id": null },
  "tags": ["archive", "cli"],
  "decisions_made": ["Soft archive via archived_at timestamp"],
  "open_questions": [],
  "handoff_note": "Migration 009 applied, dashboard filter works."
}`;

const hashOf = (text: string) => `sha256:${nodeHasher.hex(canonicalAgentic(readJson(text)))}`;

describeOnEachEngine('packages over HTTP', (open) => {
  const world = worldOn(open);
  const deposit = (body: unknown, headers = {}, project = 'p') =>
    world().send('POST', `/v1/projects/${encodeURIComponent(project)}/packages`, body, { headers });

  describe('deposit', () => {
    it('answers the example of the protocol with the published hash, in headers only', async () => {
      const reply = await deposit(specExample, {}, 'proj_dev_relay');
      expect(reply.status).toBe(201);
      const hash = 'sha256:0efe5d06aaaaf2dc735b3f9ce7cfc1a0f7cd715491ab61d991f57be1d4c0db33';
      expect(reply.headers.get('relay-content-hash')).toBe(hash);
      expect(reply.headers.get('etag')).toBe(`"${hash}"`);
      expect(reply.headers.get('relay-body-hash')).toBe(
        'sha256:4459ed37a1b8bd03f851b6945f196dfee464180c4de82b2b6a3b1f3b29cc8f25',
      );
      expect(reply.json).toEqual(JSON.parse(specExample));
    });

    it('keeps every token that it does not know, at every depth, and adds no default', async () => {
      const text = JSON.stringify(
        aPackage('odd', {
          'x-trust': 0.1,
          unknown: { deep: [null, { '': 1.5e3 }] },
          created_by: { id: 'ada', type: 'agent', git_commit: 'abc' },
        }),
      ).replace('"x-trust":0.1', '"x-trust":0.10,"__proto__":{"a":1}');
      expect((await deposit(text)).status).toBe(201);
      const read = await world().send('GET', '/v1/packages/odd?project=p');
      expect(read.text).toBe(text);
      expect(read.headers.get('relay-content-hash')).toBe(hashOf(text));
    });

    it('is repeatable: the same package is answered, a differing one is refused', async () => {
      expect((await deposit(aPackage('twice'))).status).toBe(201);
      expect((await deposit(aPackage('twice', { description: null }))).status).toBe(200);
      const differing = await deposit(aPackage('twice', { title: 'Another' }));
      expect(differing.status).toBe(409);
      expect(differing.json.error.code).toBe('duplicate_package_id');
    });

    it.each([
      ['a title of no characters', { title: '' }, '/title'],
      ['a title of 201 characters', { title: 'x'.repeat(201) }, '/title'],
      ['a status that does not exist', { status: 'done' }, '/status'],
      ['a package type outside the list', { package_type: 'note' }, '/package_type'],
      ['a time that is not UTC', { created_at: '2026-04-18T20:00:00+02:00' }, '/created_at'],
      ['a significance of 0', { significance: 0 }, '/significance'],
      ['another version of the protocol', { relay_version: '0.2' }, '/relay_version'],
      ['an author without a type', { created_by: { id: 'ada' } }, '/created_by/type'],
      ['another project than the path', { project_id: 'q' }, '/project_id'],
      ['itself as parent', { parent_package_id: 'bad' }, '/parent_package_id'],
      ['a review by nobody', { status: 'awaiting_review' }, '/review_type'],
    ])('refuses %s and names the place', async (_, change, pointer) => {
      const reply = await deposit(aPackage('bad', change));
      expect(reply.status).toBe(400);
      expect(reply.json.error).toMatchObject({ code: 'invalid_schema', pointer });
      expect((await world().send('GET', '/v1/packages/bad')).status).toBe(404);
    });

    it.each([
      ['duplicate keys', '{"package_id":"bad","package_id":"bad"}'],
      ['half a surrogate pair', JSON.stringify(aPackage('bad')).replace('Package bad', '\\ud800')],
      [
        'a number that no double holds',
        JSON.stringify(aPackage('bad', { x: 1 })).replace(':1', ':12345678901234567890'),
      ],
      ['no JSON', '{'],
    ])('refuses %s', async (_, text) => {
      const reply = await deposit(text);
      expect(reply.status).toBe(400);
      expect(reply.json.error.code).toBe('invalid_schema');
    });

    it('accepts any id that is unique within its project, and says when an id alone is not enough', async () => {
      const id = 'a/b c#?ü';
      expect((await deposit(aPackage(id))).status).toBe(201);
      expect((await deposit(aPackage(id, { project_id: 'q' }), {}, 'q')).status).toBe(201);
      const path = encodeURIComponent(id);
      const ambiguous = await world().send('GET', `/v1/packages/${path}`);
      expect(ambiguous.json.error).toMatchObject({ code: 'ambiguous_package_id' });
      expect(ambiguous.status).toBe(409);
      expect((await world().send('GET', `/v1/packages/${path}?project=q`)).json.project_id).toBe('q');
      expect((await world().send('GET', `/v1/projects/p/packages/${path}`)).json.project_id).toBe('p');
      expect((await world().send('GET', `/v1/packages?id=${path}&project=p`)).json.package_id).toBe(id);
    });

    it('checks the hash that the sender claims', async () => {
      const text = JSON.stringify(aPackage('claimed'));
      const wrong = await deposit(text, { 'relay-content-hash': `sha256:${'0'.repeat(64)}` });
      expect(wrong.json.error.code).toBe('hash_mismatch');
      expect((await deposit(text, { 'relay-content-hash': hashOf(text) })).status).toBe(201);
    });

    it('takes an author only from the credential, unless the owner brings it in', async () => {
      const grace = await world().token('grace', 'agent');
      const path = '/v1/projects/p/packages';
      const forged = await world().send('POST', path, aPackage('forged'), { token: grace });
      expect(forged.status).toBe(403);
      expect(forged.json.error.code).toBe('actor_mismatch');
      const own = aPackage('own', { created_by: { id: 'grace', type: 'agent' } });
      expect((await world().send('POST', path, own, { token: grace })).status).toBe(201);
    });

    it('hides projects from whoever may not see them', async () => {
      await deposit(aPackage('secret', { project_id: 'closed' }), {}, 'closed');
      const outsider = await world().token('mallory', 'agent', ['q']);
      for (const path of [
        '/v1/packages/secret',
        '/v1/projects/closed/packages',
        '/v1/projects/closed/orient',
      ]) {
        expect((await world().send('GET', path, undefined, { token: outsider })).status).toBe(404);
      }
    });

    it('warns of what looks like a secret, and refuses it where the project says so', async () => {
      const leak = { description: `key AKIA${'A'.repeat(16)}` };
      const warned = await deposit(aPackage('leak', leak));
      expect(warned.status).toBe(201);
      expect(warned.headers.get('relay-warning')).toContain('/description (aws_access_key)');
      await world().send('POST', '/v1/projects', { project_id: 'strict', settings: { secrets: 'block' } });
      const refused = await deposit(aPackage('leak', { ...leak, project_id: 'strict' }), {}, 'strict');
      expect(refused.json.error).toMatchObject({ code: 'secret_found', pointer: '/description' });
      expect(refused.text).not.toContain('AKIA');
      const meant = { 'relay-allow-secrets': '1' };
      expect(
        (await deposit(aPackage('leak', { ...leak, project_id: 'strict' }), meant, 'strict')).status,
      ).toBe(201);
    });

    it('refuses an archived project and takes it again once restored', async () => {
      await deposit(aPackage('a1', { project_id: 'old' }), {}, 'old');
      await world().send('POST', '/v1/projects/old/archive');
      const refused = await deposit(aPackage('a2', { project_id: 'old' }), {}, 'old');
      expect(refused.status).toBe(403);
      expect(refused.json.error.code).toBe('project_archived');
      expect((await deposit(aPackage('a1', { project_id: 'old' }), {}, 'old')).status).toBe(200);
      await world().send('POST', '/v1/projects/old/restore');
      expect((await deposit(aPackage('a2', { project_id: 'old' }), {}, 'old')).status).toBe(201);
    });
  });

  describe('pull', () => {
    it('orders by instant, not by text, then by arrival, and pages without loss', async () => {
      const times: [string, string][] = [
        ['t1', '2026-01-01T00:00:00Z'],
        ['t2', '2026-01-01T00:00:00.5Z'],
        ['t3', '2026-01-01T00:00:00.500+00:00'],
        ['t4', '2025-12-31T23:59:59.999999z'],
        ['t5', '2026-01-01T00:00:01-00:00'],
      ];
      for (const [id, at] of times) {
        const reply = await deposit(aPackage(id, { created_at: at, project_id: 'order' }), {}, 'order');
        expect(reply.status).toBe(201);
      }
      const all = await world().send('GET', '/v1/projects/order/packages?mode=latest');
      const ids = all.json.map((one: { package_id: string }) => one.package_id);
      expect(ids).toEqual(['t5', 't3', 't2', 't1', 't4']);
      const seen: string[] = [];
      let next: string | undefined = '/v1/projects/order/packages?limit=2';
      while (next) {
        const page: Awaited<ReturnType<typeof deposit>> = await world().send('GET', next);
        seen.push(...page.json.map((one: { package_id: string }) => one.package_id));
        next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
      }
      expect(seen).toEqual(ids);
    });

    it('shows a draft to its author alone', async () => {
      const linus = await world().token('linus', 'agent');
      const draft = aPackage('draft', { status: 'draft', created_by: { id: 'linus', type: 'agent' } });
      await world().send('POST', '/v1/projects/p/packages', draft, { token: linus });
      expect((await world().send('GET', '/v1/packages/draft', undefined, { token: linus })).status).toBe(200);
      expect((await world().send('GET', '/v1/packages/draft')).status).toBe(404);
      const latest = await world().send('GET', '/v1/projects/p/packages?limit=200');
      expect(latest.text).not.toContain('"draft"');
    });

    it('finds what is relevant, best first', async () => {
      await deposit(aPackage('s1', { project_id: 's', title: 'Chose PostgreSQL for the ledger' }), {}, 's');
      await deposit(aPackage('s2', { project_id: 's', title: 'Painted the office green' }), {}, 's');
      const reply = await world().send(
        'GET',
        '/v1/projects/s/packages?mode=relevant&query=postgresql+ledger',
      );
      expect(reply.json[0].package_id).toBe('s1');
    });

    it('spares a reader what it knows', async () => {
      await deposit(aPackage('cached'));
      const first = await world().send('GET', '/v1/packages/cached');
      const again = await world().send('GET', '/v1/packages/cached', undefined, {
        headers: { 'if-none-match': first.headers.get('etag') as string },
      });
      expect(again.status).toBe(304);
    });

    it('answers 404 in the words of the protocol', async () => {
      const reply = await world().send('GET', '/v1/packages/nowhere');
      expect([reply.status, reply.json.error.code]).toEqual([404, 'package_not_found']);
      const project = await world().send('GET', '/v1/projects/nowhere/packages');
      expect([project.status, project.json.error.code]).toEqual([404, 'project_not_found']);
    });
  });

  describe('lineage', () => {
    it('knows heads, forks and merges, and refuses to build on what is no head any more', async () => {
      const put = (id: string, more: object, headers = {}) =>
        deposit(aPackage(id, { project_id: 'l', ...more }), headers, 'l');
      await put('root', {});
      await put('left', { parent_package_id: 'root' }, { 'relay-if-head': 'root' });
      const moved = await put('right', { parent_package_id: 'root' }, { 'relay-if-head': 'root' });
      expect(moved.status).toBe(409);
      expect(moved.json.error).toMatchObject({ code: 'head_moved', details: { heads: ['left'] } });
      await put('right', { parent_package_id: 'root' });
      const heads = async () =>
        (await world().send('GET', '/v1/projects/l/heads?root=root')).json.map(
          (one: { package_id: string }) => one.package_id,
        );
      expect((await heads()).sort()).toEqual(['left', 'right']);
      await put('merge', { parent_package_id: 'left', 'x-parents': ['left', 'right'] });
      expect(await heads()).toEqual(['merge']);
      const lineage = await world().send('GET', '/v1/packages/merge/lineage');
      expect(lineage.json.ancestors.map((one: { package_id: string }) => one.package_id)).toEqual([
        'left',
        'right',
        'root',
      ]);
    });

    it('follows references only where the asker may read, and tells forbidden and missing apart to nobody', async () => {
      await deposit(aPackage('target', { project_id: 'vault' }), {}, 'vault');
      const refs = [
        { rel: 'cites', project_id: 'vault', package_id: 'target' },
        { rel: 'cites', project_id: 'vault', package_id: 'never-was' },
      ];
      await deposit(aPackage('citing', { 'x-refs': refs }));
      const outsider = await world().token('oscar', 'agent', ['p']);
      const seen = await world().send('GET', '/v1/packages/citing/refs', undefined, { token: outsider });
      expect(seen.json.refs.map((ref: { state: string }) => ref.state)).toEqual([
        'unavailable',
        'unavailable',
      ]);
      const full = await world().send('GET', '/v1/packages/citing/refs');
      expect(full.json.refs.map((ref: { state: string }) => ref.state)).toEqual(['available', 'unavailable']);
    });
  });

  it('redacts: content gone everywhere, hashes and lineage kept', async () => {
    await deposit(aPackage('spill', { project_id: 'r', title: 'unspeakable words' }), {}, 'r');
    await deposit(aPackage('after', { project_id: 'r', parent_package_id: 'spill' }), {}, 'r');
    const done = await world().send('POST', '/v1/packages/spill/redact', { reason: 'a password' });
    expect(done.status).toBe(200);
    const gone = await world().send('GET', '/v1/packages/spill');
    expect([gone.status, gone.json.error.code]).toEqual([410, 'package_redacted']);
    const envelope = await world().send('GET', '/v1/packages/spill?envelope=1');
    expect(envelope.json).toMatchObject({
      package: null,
      redacted: true,
      tombstone: { reason: 'a password' },
    });
    expect(envelope.text).not.toContain('unspeakable');
    const lineage = await world().send('GET', '/v1/packages/after/lineage');
    expect(lineage.json.ancestors).toMatchObject([{ package_id: 'spill', state: 'redacted' }]);
    const found = await world().send('GET', '/v1/projects/r/packages?mode=relevant&query=unspeakable');
    expect(found.json).toEqual([]);
  });

  it('reports a package that no longer matches its hash, and shows it nowhere else', async () => {
    await deposit(aPackage('tampered', { project_id: 'i' }), {}, 'i');
    await world().server.app.db.write((uow) =>
      uow.run(
        `update packages set original = replace(original, 'Package', 'Forged!') where package_id = 'tampered'`,
      ),
    );
    const read = await world().send('GET', '/v1/packages/tampered');
    expect(read.headers.get('relay-integrity')).toBe('mismatch');
    const report = await world().send('GET', '/v1/projects/i/integrity');
    expect(report.json.mismatches).toEqual([{ package_id: 'tampered', reason: 'deposit_hash' }]);
    expect((await world().send('GET', '/v1/projects/i/packages')).json).toEqual([]);
  });
});
