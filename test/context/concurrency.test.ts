import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { bundleForNode } from '../setup/bundle.ts';
import { worldOn } from './world.ts';

const DEPOSITS = 100;
const WRITERS = 64;

interface WireFact {
  readonly value: string;
  readonly valid_from: string;
  readonly valid_to: string | null;
}

/** Every end is the next beginning, and only the last has none. */
function expectUnbroken(history: readonly WireFact[]): void {
  const inOrder = [...history].reverse();
  expect(inOrder.filter((fact) => fact.valid_to === null)).toHaveLength(1);
  for (const [i, fact] of inOrder.entries()) expect(fact.valid_to).toBe(inOrder[i + 1]?.valid_from ?? null);
}

describeOnEachEngine('many writers at once', (open) => {
  const world = worldOn(open);

  async function writer(who: string): Promise<void> {
    const script = await bundleForNode('test/context/concurrency.child.ts');
    const { app, dataDir } = world().server;
    const child = spawn(process.execPath, [script, app.settings.databaseUrl, dataDir, who, String(DEPOSITS)]);
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
  }

  it('two processes with 100 deposits each lose nothing, and their facts follow each other without a gap', async () => {
    await Promise.all([writer('left'), writer('right')]);
    const ids = new Set<string>();
    let next: string | undefined = '/v1/projects/default/packages?limit=100';
    while (next) {
      const page: Awaited<ReturnType<ReturnType<typeof world>['send']>> = await world().send('GET', next);
      for (const one of page.json) ids.add(one.package_id);
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(ids.size).toBe(2 * DEPOSITS);
    const history = (
      await world().send('GET', '/v1/projects/default/facts?subject=crowd&history=1&limit=200')
    ).json;
    expect(history).toHaveLength(2 * DEPOSITS);
    expectUnbroken(history);
    const found = await world().send('GET', '/v1/projects/default/integrity');
    expect(found.json).toEqual({ checked: 2 * DEPOSITS, mismatches: [] });
    const verified = await world().send('POST', '/v1/journal/verify');
    expect(verified.json).toMatchObject({ valid: true, fault_count: 0 });
  });

  it('64 writers on one subject and predicate leave one current fact and no gap', async () => {
    const replies = await Promise.all(
      Array.from({ length: WRITERS }, (_, i) =>
        world().send('POST', '/v1/projects/default/facts', {
          subject: 'one',
          predicate: 'is',
          value: String(i),
        }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: WRITERS }, () => 201));
    const history = (await world().send('GET', '/v1/projects/default/facts?subject=one&history=1&limit=200'))
      .json;
    expect(new Set(history.map((fact: WireFact) => fact.value)).size).toBe(WRITERS);
    expectUnbroken(history);
  });
});
