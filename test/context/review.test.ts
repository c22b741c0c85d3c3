import { beforeAll, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { aPackage, worldOn } from './world.ts';

describeOnEachEngine('reviews over HTTP', (open) => {
  const world = worldOn(open);
  let agent: string;
  let person: string;
  let other: string;
  beforeAll(async () => {
    agent = await world().token('robo', 'agent');
    person = await world().token('petra', 'human');
    other = await world().token('olaf', 'human');
  });
  const by = (id: string, type: string) => ({ created_by: { id, type } });
  const waiting = (id: string, more = {}) =>
    world().send(
      'POST',
      '/v1/projects/p/packages',
      aPackage(id, { status: 'awaiting_review', review_type: 'human', ...more }),
    );
  const review = (id: string, body: unknown, token?: string) =>
    world().send('POST', `/v1/packages/${id}/review`, body, token ? { token } : {});
  const inboxItems = async () => (await world().send('GET', '/v1/inbox?kind=package_review')).json.items;

  it('puts a waiting package into the inbox, and deciding there is deciding here', async () => {
    await waiting('w1');
    const item = (await inboxItems()).find((one: { subject: { id: string } }) => one.subject.id === 'w1');
    expect(item).toMatchObject({ title: 'Package w1', requested_by: { id: 'owner' }, state: 'open' });
    const decision = { decision: 'approve', digest: item.digest };
    const decide = (token: string) => world().send('POST', `/v1/inbox/${item.id}`, decision, { token });
    expect((await decide(person)).status).toBe(200);
    const read = await world().send('GET', '/v1/packages/w1?envelope=1');
    expect(read.json.package.status).toBe('complete');
    expect(read.json.reviews).toMatchObject([
      { from: 'awaiting_review', to: 'complete', actor: { id: 'petra' } },
    ]);
  });

  it('closes the inbox item when the decision is made here', async () => {
    await waiting('w2');
    const reply = await review('w2', { verdict: 'request_changes', note: 'too long' }, person);
    expect(reply.json.status).toBe('revision_requested');
    expect((await inboxItems()).map((one: { subject: { id: string } }) => one.subject.id)).not.toContain(
      'w2',
    );
    const log = (await world().send('GET', '/v1/packages/w2/reviews')).json;
    expect(log).toMatchObject({ intact: true, entries: [{ note: 'too long' }] });
  });

  it('changes only status and review type, keeps the body hash, and takes a late retry of the deposit', async () => {
    const text = JSON.stringify(aPackage('w3', { status: 'draft', 'x-n': 1, unknown: [null] })).replace(
      '"x-n":1',
      '"x-n": 1.50',
    );
    const first = await world().send(
      'POST',
      '/v1/projects/p/packages',
      text.replace('"ada"', '"owner"').replace('"agent"', '"human"'),
    );
    const flagged = await world().send('POST', '/v1/packages/w3/flag', {
      review_type: 'agent',
      note: 'please',
    });
    expect(flagged.json).toMatchObject({ status: 'awaiting_review', review_type: 'agent' });
    expect(flagged.text).toContain('"x-n":1.50');
    expect(flagged.headers.get('relay-body-hash')).toBe(first.headers.get('relay-body-hash'));
    expect(flagged.headers.get('relay-content-hash')).not.toBe(first.headers.get('relay-content-hash'));
    const approved = await review('w3', { verdict: 'approve' }, agent);
    expect(approved.json.status).toBe('complete');
    const retry = await world().send(
      'POST',
      '/v1/projects/p/packages',
      text.replace('"ada"', '"owner"').replace('"agent"', '"human"'),
    );
    expect([retry.status, retry.json.status]).toEqual([200, 'complete']);
    const log = (await world().send('GET', '/v1/packages/w3/reviews')).json.entries;
    expect(log[1].previous_entry_hash).toBe(log[0].entry_hash);
    expect(log[1].prev_hash).toBe(log[0].new_hash);
  });

  it('opens a human gate only to a person who is not the author', async () => {
    await waiting('w4', by('petra', 'human'));
    const robot = await review('w4', { verdict: 'approve' }, agent);
    expect([robot.status, robot.json.error.code]).toEqual([403, 'reviewer_type_mismatch']);
    const author = await review('w4', { verdict: 'approve' }, person);
    expect([author.status, author.json.error.code]).toEqual([403, 'self_review']);
    const forged = await review('w4', { verdict: 'approve', reviewer: { id: 'ada', type: 'human' } }, person);
    expect(forged.json.error.code).toBe('actor_mismatch');
    expect((await world().send('GET', '/v1/packages/w4')).json.status).toBe('awaiting_review');
    expect((await review('w4', { verdict: 'approve' }, other)).json.status).toBe('complete');
  });

  it('is not open to whoever deposited in another’s name, here or in the inbox, unless the project allows it', async () => {
    await waiting('spoken');
    const direct = await review('spoken', { verdict: 'approve' });
    expect([direct.status, direct.json.error.code]).toEqual([403, 'self_review']);
    const item = (await inboxItems()).find((one: { subject: { id: string } }) => one.subject.id === 'spoken');
    const decision = { decision: 'approve', digest: item.digest };
    const decided = await world().send('POST', `/v1/inbox/${item.id}`, decision);
    expect([decided.status, decided.json.error.code]).toEqual([403, 'self_approval']);
    const settings = (self_review: string) =>
      world().send('PATCH', '/v1/projects/p', { settings: { self_review } });
    await settings('allow');
    expect((await review('spoken', { verdict: 'approve' })).json.status).toBe('complete');
    await settings('refuse');
  });

  it('refuses every way out of complete, without a trace in the log', async () => {
    await world().send('POST', '/v1/projects/p/packages', aPackage('done'));
    for (const verdict of ['approve', 'request_changes', 'complete']) {
      const reply = await review('done', { verdict });
      expect([reply.status, reply.json.error.code]).toEqual([400, 'invalid_transition']);
    }
    const flagged = await world().send('POST', '/v1/packages/done/flag', { review_type: 'human' });
    expect([flagged.status, flagged.json.error.code]).toEqual([400, 'invalid_transition']);
    expect((await world().send('GET', '/v1/packages/done/reviews')).json.entries).toEqual([]);
    const missing = await world().send('POST', '/v1/packages/nowhere/flag', { review_type: 'human' });
    expect(missing.json.error.code).toBe('package_not_found');
    const wrong = await world().send('POST', '/v1/packages/done/flag', { review_type: 'none' });
    expect([wrong.status, wrong.json.error.code]).toEqual([400, 'invalid_schema']);
  });

  it('goes round: changes asked for, flagged again, approved', async () => {
    await waiting('w5');
    await review('w5', { verdict: 'request_changes' }, person);
    const again = await world().send('POST', '/v1/packages/w5/flag', { review_type: 'human' });
    expect(again.json.status).toBe('awaiting_review');
    expect((await review('w5', { verdict: 'approve' }, person)).json.status).toBe('complete');
    expect((await world().send('GET', '/v1/packages/w5/reviews')).json.entries).toHaveLength(3);
  });

  it('lists what waits in a project, by kind of reviewer', async () => {
    await waiting('w6', { project_id: 'p' });
    await waiting('w7', { review_type: 'agent' });
    const ids = async (query: string) =>
      (await world().send('GET', `/v1/projects/p/reviews?${query}`)).json.map(
        (one: { package_id: string }) => one.package_id,
      );
    expect(await ids('')).toEqual(expect.arrayContaining(['w6', 'w7']));
    expect(await ids('review_type=agent')).toEqual(['w7']);
  });

  it('lets one of two deciders win', async () => {
    await waiting('race');
    const verdicts = await Promise.all([
      // Of these only one is possible, whichever comes first.
      review('race', { verdict: 'approve' }, other),
      review('race', { verdict: 'approve' }, person),
    ]);
    expect(verdicts.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(verdicts.filter(({ status }) => status === 400 || status === 409)).toHaveLength(1);
    expect((await world().send('GET', '/v1/packages/race/reviews')).json.entries).toHaveLength(1);
  });

  it('lets an author finish a draft, and nobody else see it before', async () => {
    const draft = aPackage('d1', { status: 'draft', ...by('robo', 'agent') });
    await world().send('POST', '/v1/projects/p/packages', draft, { token: agent });
    expect((await review('d1', { verdict: 'approve' })).status).toBe(404);
    expect((await review('d1', { verdict: 'complete' }, agent)).json.status).toBe('complete');
    const found = await world().send('GET', '/v1/projects/p/packages?mode=relevant&query=package+d1');
    expect(found.text).toContain('"d1"');
  });
});
