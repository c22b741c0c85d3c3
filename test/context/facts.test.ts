import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { aPackage, worldOn } from './world.ts';

interface WireFact {
  readonly fact_id: string;
  readonly value: string;
  readonly valid_from: string;
  readonly valid_to: string | null;
}

describeOnEachEngine('facts over HTTP', (open) => {
  const world = worldOn(open);
  const facts = (query: string, project = 'p') =>
    world().send('GET', `/v1/projects/${project}/facts?${query}`);
  const assert = (body: unknown, project = 'p') =>
    world().send('POST', `/v1/projects/${project}/facts`, body);
  const fact = (value: string, more = {}) => ({ subject: 'dashboard', predicate: 'status', value, ...more });
  const ready = async (project: string) => {
    await world().send('POST', '/v1/projects', { project_id: project });
  };

  it('supersedes: the old one ends where the new one begins, and only one is current', async () => {
    await ready('p');
    const first = await assert(fact('red', { 'x-why': { deep: [1.0] } }));
    expect(first.status).toBe(201);
    expect(first.json).toMatchObject({ project_id: 'p', valid_to: null, asserted_by: { id: 'owner' } });
    expect(first.json.fact_id).toMatch(/^fact_[0-9a-f]{32}$/);
    expect(first.json['x-why']).toEqual({ deep: [1] });
    const second = await assert(fact('green'));
    const current = await facts('subject=dashboard&predicate=status');
    expect(current.json).toEqual([second.json]);
    const history = (await facts('subject=dashboard&history=1')).json as WireFact[];
    expect(history.map((one) => one.value)).toEqual(['green', 'red']);
    expect(history[1]?.valid_to).toBe(history[0]?.valid_from);
  });

  it('answers what was true at an instant: from the beginning on, up to the end', async () => {
    await ready('t');
    await assert(fact('a', { valid_from: '2026-04-01T00:00:00Z' }), 't');
    await assert(fact('b', { valid_from: '2026-04-10T00:00:00Z' }), 't');
    const at = async (moment: string) =>
      (await facts(`as_of=${moment}`, 't')).json.map((one: WireFact) => one.value);
    expect(await at('2026-03-31T23:59:59.999999Z')).toEqual([]);
    expect(await at('2026-04-01T00:00:00Z')).toEqual(['a']);
    expect(await at('2026-04-09T23:59:59.999999Z')).toEqual(['a']);
    expect(await at('2026-04-10')).toEqual(['b']);
    const back = await assert(fact('c', { valid_from: '2026-04-05T00:00:00Z' }), 't');
    expect([back.status, back.json.error.code]).toEqual([409, 'temporal_conflict']);
    const ahead = await assert(fact('c', { valid_from: '2999-01-01T00:00:00Z' }), 't');
    expect([ahead.status, ahead.json.error.pointer]).toEqual([400, '/valid_from']);
  });

  it('gives one answer where a fact was ended and another began before that', async () => {
    await ready('d');
    await assert(fact('first', { valid_from: '2026-03-01T00:00:00Z' }), 'd');
    await world().send('DELETE', '/v1/projects/d/facts?subject=dashboard&predicate=status');
    await assert(fact('second', { valid_from: '2026-04-01T00:00:00Z' }), 'd');
    const at = async (moment: string) =>
      (await facts(`as_of=${moment}`, 'd')).json.map((one: WireFact) => one.value);
    expect(await at('2026-03-15')).toEqual(['first']);
    expect(await at('2026-05-01')).toEqual(['second']);
  });

  it('corrects the past, goes on after it, and keeps what was believed before', async () => {
    await ready('k');
    const first = await assert(fact('up', { valid_from: '2026-03-01T00:00:00Z' }), 'k');
    // By the store's own clock: a test's may be some milliseconds off it.
    const before = first.json.created_at;
    const corrected = await assert(
      fact('down', { valid_from: '2026-04-01T00:00:00Z', valid_to: '2026-04-02T00:00:00Z' }),
      'k',
    );
    expect(corrected.json).toMatchObject({ value: 'down', valid_to: '2026-04-02T00:00:00Z' });
    const at = async (moment: string, more = '') =>
      (await facts(`as_of=${moment}${more}`, 'k')).json.map((one: WireFact) => one.value);
    expect(await at('2026-04-01T12:00:00Z')).toEqual(['down']);
    expect(await at('2026-04-03')).toEqual(['up']);
    expect(await at('2026-04-01T12:00:00Z', `&known_at=${before}`)).toEqual(['up']);
    const [current] = (await facts('', 'k')).json;
    expect(current).toMatchObject({ value: 'up', valid_to: null, valid_from: '2026-04-02T00:00:00.000000Z' });
    const backwards = await assert(
      fact('x', { valid_from: '2026-04-02T00:00:00Z', valid_to: '2026-04-01T00:00:00Z' }),
      'k',
    );
    expect([backwards.status, backwards.json.error.pointer]).toEqual([400, '/valid_to']);
  });

  it('finds and counts by the clock: what is scheduled is not true yet', async () => {
    await ready('f');
    const green = await assert(fact('green'), 'f');
    await assert(fact('purple', { valid_from: '2150-01-01T00:00:00Z' }), 'f');
    expect((await facts('', 'f')).json).toMatchObject([{ value: 'green', valid_to: null }]);
    expect((await facts('as_of=2150-01-02T00:00:00Z', 'f')).json).toMatchObject([{ value: 'purple' }]);
    const search = async (words: string) =>
      (await world().send('GET', `/v1/search?project=f&collections=fact&query=${words}`)).json.hits.map(
        ({ id }: { id: string }) => id,
      );
    expect(await search('green')).toEqual([green.json.fact_id]);
    // By its meaning: one colour is near another.
    expect(await search('purple')).toEqual([green.json.fact_id]);
    expect((await world().send('GET', '/v1/projects/f/counts')).json.facts).toEqual({
      count: 1,
      exact: true,
    });
  });

  it('compares before it sets, and changes nothing that is the same where asked', async () => {
    await ready('c');
    const none = await assert(fact('first', { expected_value: null }), 'c');
    expect(none.status).toBe(201);
    const late = await assert(fact('second', { expected_value: null }), 'c');
    expect([late.status, late.json.error.code]).toEqual([409, 'fact_changed']);
    expect(late.json.error.details.current).toMatchObject({ value: 'first' });
    const right = await assert(fact('second', { expected_fact_id: none.json.fact_id }), 'c');
    expect(right.status).toBe(201);
    expect(right.text).not.toContain('expected_fact_id');
    const same = await assert(fact('second', { if_changed: true }), 'c');
    expect([same.status, same.json.fact_id]).toEqual([200, right.json.fact_id]);
    const again = await assert(fact('second'), 'c');
    expect(again.status).toBe(201);
  });

  it('invalidates without a successor, counts, and keeps the history', async () => {
    await ready('v');
    await assert(fact('up'), 'v');
    const end = (query: string) =>
      world().send('DELETE', `/v1/projects/v/facts?subject=dashboard&predicate=${query}`);
    expect((await end('status&object=down')).json).toEqual({ invalidated: 0 });
    expect((await end('status')).json).toEqual({ invalidated: 1 });
    expect((await end('status')).json).toEqual({ invalidated: 0 });
    expect((await facts('', 'v')).json).toEqual([]);
    const [ended] = (await facts('history=1', 'v')).json;
    expect(ended).toMatchObject({ value: 'up', 'x-invalidated_by': { id: 'owner', type: 'human' } });
    expect(ended.valid_to >= ended.valid_from).toBe(true);
  });

  it('takes who said so from the source package', async () => {
    await world().send('POST', '/v1/projects/p/packages', aPackage('source'));
    const said = await assert(fact('x', { subject: 'from', source_package_id: 'source' }));
    expect(said.json.asserted_by).toEqual({ id: 'ada', type: 'agent', session_id: null });
    const unknown = await assert(fact('x', { subject: 'from', source_package_id: 'nowhere' }));
    expect(unknown.json.error).toMatchObject({ code: 'invalid_schema', pointer: '/source_package_id' });
  });

  it('is repeatable by id, and refuses another fact under the same id', async () => {
    const once = await assert(fact('1', { subject: 'again', fact_id: 'mine' }));
    const twice = await assert(fact('1', { subject: 'again', fact_id: 'mine' }));
    expect([once.status, twice.status, twice.text]).toEqual([201, 200, once.text]);
    const other = await assert(fact('2', { subject: 'again', fact_id: 'mine' }));
    expect([other.status, other.json.error.code]).toEqual([409, 'duplicate_fact_id']);
  });

  it('refuses a number as value and an unknown project', async () => {
    expect((await assert(fact(97 as never))).json.error).toMatchObject({
      code: 'invalid_schema',
      pointer: '/value',
    });
    expect((await assert(fact('x'), 'nowhere')).json.error.code).toBe('project_not_found');
  });

  it('keeps the facts of two projects apart', async () => {
    await ready('one');
    await ready('two');
    await assert(fact('here'), 'one');
    await assert(fact('there'), 'two');
    expect((await facts('', 'one')).json).toMatchObject([{ value: 'here' }]);
  });

  it('leaves an unbroken chain with one current fact whatever is asserted and retracted', async () => {
    await ready('chain');
    const path = '/v1/projects/chain/facts';
    const step = fc.oneof(
      fc.constantFrom('a', 'b', 'c').map((value) => ({ assert: value })),
      fc.constant({ retract: true }),
    );
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        round += 1;
        const subject = `s${round}`;
        let expected: string | undefined;
        await Promise.all(
          steps.map((one) =>
            'assert' in one
              ? world().send('POST', path, { subject, predicate: 'is', value: one.assert })
              : world().send('DELETE', `${path}?subject=${subject}&predicate=is`),
          ),
        );
        const history = (
          (await facts(`subject=${subject}&history=1&limit=200`, 'chain')).json as WireFact[]
        ).reverse();
        expect(history.length).toBe(steps.filter((one) => 'assert' in one).length);
        expect(history.filter((one) => one.valid_to === null).length).toBeLessThanOrEqual(1);
        for (const one of history) {
          if (expected !== undefined) expect(one.valid_from >= expected).toBe(true);
          expected = one.valid_to ?? one.valid_from;
        }
      }),
      { numRuns: process.env.BATON_PROVE ? 100 : 6 },
    );
  });
});
