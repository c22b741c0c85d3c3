import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FixtureFile, loadFixtures } from '../../packages/conformance/src/agentxchain/fixture-file.ts';
import { execute } from '../../src/slices/delivery/conformance/execute.ts';
import { publicFixtures } from '../setup/agentxchain-corpus.ts';
import { mustRefuse } from './brief-oracle.ts';

/** Fixtures that are accepted as they stand, changed in one to three places: nothing that has to be refused is accepted. */

const OWN = new URL('../../specs/agentxchain/fixtures', import.meta.url).pathname;
const MUTANTS = process.env.BATON_PROVE === '1' ? 20_000 : 2_000;

type Loose = Record<string, unknown>;
const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null;

const accepted = async ({ document }: FixtureFile): Promise<boolean> => {
  const { actual } = await execute({ ...document, expected: {} });
  return actual?.result === 'success';
};
const corpora = [OWN, ...(publicFixtures === undefined ? [] : [publicFixtures])];
const all = (await Promise.all(corpora.map((folder) => loadFixtures(folder, { tier: 3 })))).flat();
const turns = all.filter(({ document }) =>
  ['validate_turn_result', 'accept_turn'].includes((document.input as Loose).operation as string),
);
const good: Loose[] = [];
for (const fixture of turns) if (await accepted(fixture)) good.push(fixture.document as unknown as Loose);

/** Where a fixture keeps the result: the setup comes first. */
const holderOf = (document: Loose): Loose => {
  const setup = document.setup as Loose;
  return setup.turn_result === undefined ? ((document.input as Loose).args as Loose) : setup;
};

/** Words and shapes that mean something somewhere in the protocol, mostly not where they end up. */
const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, 1.5, '', ' ', '1.0', '2.0', '<fill in>', [], {}, [null], ['x'], [{}]],
  ...['completed', 'done', 'blocked', 'needs_human', 'failed', 'pass', 'fail', 'skipped', 'attested_pass'],
  ...['pm', 'dev', 'qa', 'human', 'Dev', 'planning', 'implementation', 'shipping', 'turn_1', 'turn_2'],
  ...['DEC-001', 'DEC-x', 'OBJ-001', 'del-001', 'del-1', 'run', 'repo', 'always', 'low', 'huge', 'raised'],
  ...['workspace', 'review', 'patch', 'src/app.ts', '.planning/PLAN.md', '../outside', '/etc/passwd'],
  ...['constructor', '__proto__', 'toString'],
  ...['.agentxchain/state.json', '.agentxchain/lock.json', ['.agentxchain/history.jsonl']],
  ...[[{ command: 'true', exit_code: '0' }], [{ command: 'true', exit_code: 1, expected_exit_code: 0 }]],
];
const KEYS = [
  ...['status', 'role', 'turn_id', 'run_id', 'files_changed', 'verification', 'phase_transition_request'],
  ...['run_completion_request', 'delegations', 'durability', 'overrides', 'severity', 'exit_code'],
];

interface Mutation {
  readonly where: number;
  readonly how: 'replace' | 'remove' | 'add' | 'repeat';
  readonly value: unknown;
  readonly key: string;
}

/** Every place in a document, as its holder and the key there. */
function places(value: unknown): [Loose, string][] {
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) => [[value, key] as [Loose, string], ...places(value[key])]);
}

function mutate(result: Loose, { where, how, value, key }: Mutation): void {
  const found = places(result);
  const at = found[where % Math.max(1, found.length)];
  if (at === undefined) return;
  const [holder, name] = at;
  if (how === 'replace') holder[name] = structuredClone(value);
  else if (how === 'add') result[key] = structuredClone(value);
  else if (how === 'repeat' && Array.isArray(holder[name])) {
    const items = holder[name] as unknown[];
    items.push(...structuredClone(items));
  } else if (Array.isArray(holder)) holder.splice(Number(name), 1);
  else delete holder[name];
}

const mutations = fc.array(
  fc.record<Mutation>({
    where: fc.nat(500),
    how: fc.constantFrom('replace', 'replace', 'remove', 'add', 'repeat'),
    value: fc.constantFrom(...VALUES),
    key: fc.constantFrom(...KEYS),
  }),
  { minLength: 1, maxLength: 3 },
);

/** The turn that is asked about, else the one that the result names, else the first. */
function settingOf(document: Loose) {
  const { state = {}, config = {} } = document.setup as { state?: Loose; config?: Loose };
  const active = Object.entries((state.active_turns ?? {}) as Record<string, Loose>);
  const asked = ((document.input as Loose).args as Loose).turn_id;
  const said = (holderOf(document).turn_result as Loose | undefined)?.turn_id;
  const [turnId, turn] = active.find(([id]) => id === asked) ??
    active.find(([id]) => id === said) ??
    active[0] ?? ['', {}];
  return { turn, turnId, phase: String(state.phase ?? 'planning'), config };
}

describe('a fixture that was changed', () => {
  it('begins as one that is accepted', () => {
    expect(good.length).toBeGreaterThan(60);
    for (const document of good)
      expect(
        mustRefuse(holderOf(document).turn_result, settingOf(document)),
        String(document.fixture_id),
      ).toBe(undefined);
  });

  it('is not accepted where the protocol refuses it', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), mutations, async (index, changes) => {
        const document = structuredClone(good[index]) as Loose;
        const holder = holderOf(document);
        for (const change of changes)
          if (isObject(holder.turn_result)) mutate(holder.turn_result as Loose, change);
        const why = mustRefuse(holder.turn_result, settingOf(document));
        const { status, actual, message } = await execute({ ...document, expected: {} });
        if (status === 'error') throw new Error(`${document.fixture_id}: ${message}`);
        if (why === undefined) return;
        refused += 1;
        if (actual?.result !== 'error')
          throw new Error(
            `${document.fixture_id} is accepted: ${why} in ${JSON.stringify(holder.turn_result)}`,
          );
      }),
      { numRuns: MUTANTS },
    );
    // A check that is never needed would prove nothing.
    expect(refused).toBeGreaterThan(MUTANTS / 4);
  });
});
