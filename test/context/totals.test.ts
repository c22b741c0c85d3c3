import { beforeAll, expect, it } from 'vitest';
import { tallyPackages } from '../../src/slices/context/orient/tally-store.ts';
import { countUpTo } from '../../src/spine/storage/bounded-count.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { aPackage, worldOn } from './world.ts';

const PACKAGES = 60;
const FACTS = 230;

describeOnEachEngine('lists of a project', (open) => {
  const world = worldOn(open);
  const get = async (path: string, project = 'p') =>
    (await world().send('GET', `/v1/projects/${project}${path}`)).json;

  async function fill(): Promise<void> {
    for (let at = 0; at < PACKAGES; at += 1) {
      const package_type = at % 2 === 0 ? 'milestone' : 'standard';
      const body = aPackage(`pkg_${at}`, { package_type, open_questions: [`Question ${at}?`] });
      const reply = await world().send('POST', '/v1/projects/p/packages', body);
      expect(reply.status).toBe(201);
    }
    for (let at = 0; at < FACTS; at += 1) {
      const fact = {
        subject: `service ${at}`,
        predicate: 'Größe',
        value: `value ${at}`,
        valid_from: '2026-01-01T00:00:00Z',
      };
      expect((await world().send('POST', '/v1/projects/p/facts', fact)).status).toBe(201);
    }
  }

  beforeAll(async () => {
    for (const id of ['p', 'q']) await world().send('POST', '/v1/projects', { project_id: id });
    await fill();
  });

  it('say how much there is in all, however little a page shows: 60 packages are not 50, fact 201 is found', async () => {
    expect(await get('/counts')).toMatchObject({
      packages: { count: PACKAGES, exact: true },
      facts: { count: FACTS, exact: true },
      fact_keys: { count: FACTS, exact: true },
    });
    const digest = (await world().send('GET', '/v1/orchestrate?project=p&window_days=3650')).json;
    expect(digest.summary).toMatchObject({
      recent_packages: PACKAGES,
      by_type: { milestone: PACKAGES / 2, standard: PACKAGES / 2 },
    });
    expect(Object.values(digest.summary.by_actor)).toEqual([PACKAGES]);
    expect(digest.project_counts[0]).toMatchObject({
      packages: PACKAGES,
      open_questions: PACKAGES,
      facts: FACTS,
    });

    const seen = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await get(`/facts/latest?limit=100${cursor && `&cursor=${cursor}`}`);
      expect(page.total).toEqual({ count: FACTS, exact: true });
      for (const { fact, earlier } of page.items) {
        expect(earlier).toBe(0);
        seen.add(fact.subject);
      }
      cursor = page.next;
    }
    expect(seen.size).toBe(FACTS);

    const found = await get('/facts/latest?words=VALUE%20201%20gr%C3%B6sse');
    expect(found.total.count).toBe(0);
    const exact = await get('/facts/latest?words=VALUE%20201%20GR%C3%96%C3%9FE');
    expect(exact).toMatchObject({ total: { count: 1, exact: true }, next: null });
    expect(exact.items[0].fact.subject).toBe('service 201');
    expect((await world().send('GET', '/v1/projects/p/facts/latest?cursor=x')).status).toBe(400);
  });

  it('list a subject and predicate once, with its latest value and how many came before, or what held at an instant', async () => {
    const assert = async (value: string, valid_from: string) =>
      expect(
        (
          await world().send('POST', '/v1/projects/q/facts', {
            subject: 's',
            predicate: 'p',
            value,
            valid_from,
          })
        ).status,
      ).toBe(201);
    await assert('one', '2026-01-01T10:00:00Z');
    await assert('two', '2026-01-02T10:00:00Z');
    await assert('three', '2026-01-03T10:00:00Z');
    const now = await get('/facts/latest', 'q');
    expect(now).toMatchObject({ total: { count: 1 }, items: [{ fact: { value: 'three' }, earlier: 2 }] });
    const then = await get('/facts/latest?as_of=2026-01-02T23:59:59Z', 'q');
    expect(then).toMatchObject({ total: { count: 1 }, items: [{ fact: { value: 'two' }, earlier: 1 }] });
    expect((await get('/facts/latest?as_of=2025-12-31', 'q')).items).toEqual([]);
    await world().send('DELETE', '/v1/projects/q/facts?subject=s&predicate=p');
    const ended = await get('/facts/latest', 'q');
    expect(ended.items).toMatchObject([{ fact: { value: 'three' } }]);
    expect(ended.items[0].fact.valid_to).toBeTypeOf('string');
    expect(await get('/counts', 'q')).toMatchObject({ facts: { count: 0 }, fact_keys: { count: 1 } });
  });

  it('count up to a bound and say so, so that a page costs the same at a hundred times the data', async () => {
    const { app } = world().server;
    await app.db.read(async (reader) => {
      expect(await countUpTo(reader, 'select 1 from packages where project_id = ?', ['p'], 10)).toEqual({
        count: 10,
        exact: false,
      });
      expect(await countUpTo(reader, 'select 1 from packages where project_id = ?', ['p'], PACKAGES)).toEqual(
        {
          count: PACKAGES,
          exact: true,
        },
      );
      const tally = await tallyPackages(reader, { projectId: 'p', sinceMicros: 0, minSignificance: 1 }, 25);
      expect(tally).toMatchObject({ summary: { recent_packages: PACKAGES }, untallied: PACKAGES - 25 });
    });
  });

  it('count through an index that holds what they ask for, and read no package', async () => {
    const { app } = world().server;
    if (app.db.engine !== 'sqlite') return;
    const plan = await app.db.read((reader) =>
      reader.all<{ detail: string }>(
        `explain query plan select count(*) from packages where project_id = 'p' and quarantined = 0 and tombstone is null
         and created_us >= 0 and significance >= 1 and status <> 'draft'`,
      ),
    );
    expect(plan.map(({ detail }) => detail).join('\n')).toContain('USING COVERING INDEX packages_shown');
  });
});
