import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type FixtureFile, loadFixtures } from '../../packages/conformance/src/agentxchain/fixture-file.ts';
import { execute } from '../../src/slices/delivery/conformance/execute.ts';
import { firstMismatch } from '../../src/slices/delivery/conformance/match.ts';
import { publicFixtures } from '../setup/agentxchain-corpus.ts';

const OWN = new URL('../../specs/agentxchain/fixtures', import.meta.url).pathname;

/** Blind: the engine never sees what is expected. Falsified: it must notice. */
async function expectHonest({ document }: FixtureFile): Promise<void> {
  const blind = await execute({ ...document, expected: {} });
  expect({ mismatch: firstMismatch(document.expected, blind.actual), actual: blind.actual }).toMatchObject({
    mismatch: null,
  });
  const expected = document.expected as { result?: unknown };
  const flipped = await execute({
    ...document,
    expected: { ...expected, result: `not-${String(expected.result)}` },
  });
  expect(flipped.status).toBe('fail');
}

const own = await loadFixtures(OWN, { tier: 3 });

describe('our AgentXchain corpus', () => {
  it('has at least 150 fixtures, each with an id of its own', () => {
    expect(own.length).toBeGreaterThanOrEqual(150);
    expect(new Set(own.map((fixture) => fixture.fixture_id)).size).toBe(own.length);
  });

  it('is what its tables say', async () => {
    const tables = new URL('../../specs/agentxchain/tables/', import.meta.url);
    const written = new Map(own.map((fixture) => [fixture.fixture_id, fixture.document]));
    for (const name of readdirSync(tables).filter((file) => file !== 'ground.mjs')) {
      const { prefix, table } = (await import(new URL(name, tables).href)) as {
        prefix: string;
        table: object[];
      };
      for (const [index, row] of table.entries()) {
        const id = `${prefix}-${String(index + 1).padStart(3, '0')}`;
        expect(written.get(id), id).toMatchObject(JSON.parse(JSON.stringify(row)));
        written.delete(id);
      }
    }
    expect([...written.keys()]).toEqual([]);
  });

  it.each(own.map((fixture) => [fixture.fixture_id, String(fixture.document.description), fixture] as const))(
    '%s %s',
    async (_id, _description, fixture) => expectHonest(fixture),
  );
});

describe.runIf(publicFixtures !== undefined)('the public AgentXchain corpus', async () => {
  const fixtures = publicFixtures === undefined ? [] : await loadFixtures(publicFixtures, { tier: 3 });
  it.each(fixtures.map((fixture) => [fixture.fixture_id, fixture] as const))('%s', async (_id, fixture) =>
    expectHonest(fixture),
  );
});
