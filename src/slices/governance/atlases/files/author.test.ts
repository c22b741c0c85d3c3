/** What somebody who writes an Atlas has at hand. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fmtAtlas } from './fmt-atlas.ts';
import { initAtlas } from './init-atlas.ts';
import { analyzeAtlas, diffAtlasPaths, lintAtlas } from './inspect.ts';
import { TEMPLATES } from './templates.ts';
import { testAtlas } from './test-atlas.ts';
import { tryableAtlas, tryLine } from './try-atlas.ts';

const folders: string[] = [];

async function inited(template: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'baton-atlas-'));
  folders.push(folder);
  const directory = join(folder, 'mine');
  await initAtlas(directory, template, 'com.example.mine');
  return directory;
}

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

describe.each(Object.keys(TEMPLATES))('atlas init --template %s', (template) => {
  it('writes what loads, is formatted, and passes its own tests with every rule deciding one', async () => {
    const directory = await inited(template);
    const { findings } = await lintAtlas(directory);
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(await fmtAtlas(directory, { check: true })).toMatchObject({ changed: [] });
    const outcome = await testAtlas(directory, 1);
    expect(outcome.results.filter(({ passed }) => !passed)).toEqual([]);
    expect(outcome).toMatchObject({ passed: true, covered: 1 });
    expect((await analyzeAtlas(directory)).findings.filter(({ kind }) => kind === 'dead')).toEqual([]);
  });

  it('overwrites nothing', async () => {
    const directory = await inited(template);
    await expect(initAtlas(directory, template, 'com.example.other')).rejects.toMatchObject({
      code: 'atlas_load_error',
    });
  });
});

describe('atlas fmt', () => {
  it('puts members in order once, and changes no number', async () => {
    const directory = await inited('support-refunds');
    const at = join(directory, 'atlas.json');
    const scrambled = JSON.stringify(
      Object.fromEntries(Object.entries(JSON.parse(await readFile(at, 'utf8'))).reverse()),
    );
    await writeFile(at, scrambled);
    expect((await fmtAtlas(directory, { check: true })).changed).toEqual(['atlas.json']);
    expect(await readFile(at, 'utf8')).toBe(scrambled);
    await fmtAtlas(directory, { check: false });
    expect((await fmtAtlas(directory, { check: false })).changed).toEqual([]);
    expect(JSON.parse(await readFile(at, 'utf8'))).toEqual(JSON.parse(scrambled));
    const exact = '{"atlas_version":"1.0","metadata":{"amount":1.00000000000000000001}}';
    await writeFile(at, exact);
    await fmtAtlas(directory, { check: false });
    expect(await readFile(at, 'utf8')).toBe(exact);
  });
});

describe('atlas try', () => {
  it('decides a line and says why', async () => {
    const set = await tryableAtlas(await inited('support-refunds'));
    const now = Date.UTC(2026, 0, 1) * 1000;
    const small = tryLine(set, 'order.refund order=A-1 customer=c amount=50 currency=EUR', now);
    expect(small).toMatchObject({ explanation: { effect: 'allow', winner: 'small-refunds' } });
    const large = tryLine(set, 'order.refund amount=51 --agent bot', now);
    expect(large).toMatchObject({
      explanation: { effect: 'require_approval' },
      reason: 'A person decides on more than 50',
    });
    expect(large.faults).toEqual(['/order is required', '/customer is required', '/currency is required']);
    const misspelt = 'order.refund order=A-1 customer=c amount=5 currency=EUR amont=5';
    expect(tryLine(set, misspelt, now).faults).toEqual(['/amont is not known: did you mean amount?']);
    expect(large.explanation?.policies.find(({ policy_id: id }) => id === 'small-refunds')?.failed).toBe(
      'parameters.when amount lte',
    );
    expect(tryLine(set, 'order.refnd', now).problem).toContain('did you mean order.refund?');
    expect(tryLine(set, 'order.refund amount', now).problem).toContain('amount=');
    expect(tryLine(set, 'order.read --agnt x', now).problem).toContain('did you mean agent?');
  });

  it('takes facts, windows and quoted values', async () => {
    const set = await tryableAtlas(await inited('data-pipeline'));
    const line = `table.write table=mart_x columns=["id"] --agent etl-1 --now 2026-01-15T22:30:00Z`;
    expect(tryLine(set, line, 0).explanation?.winner).toBe('write-by-night');
    expect(tryLine(set, `${line} --fact pipeline/frozen=yes`, 0).explanation?.winner).toBe('freeze');
    const coding = await tryableAtlas(await inited('coding-agent'));
    expect(tryLine(coding, 'command.run command="npm test; curl x"', 0).explanation?.winner).toBe(
      'no-downloads',
    );
  });
});

describe('atlas test', () => {
  it('counts failures, and names conditions of which only one side was seen', async () => {
    const directory = await inited('support-refunds');
    const at = join(directory, 'tests/rules.cases.json');
    const { cases } = JSON.parse(await readFile(at, 'utf8'));
    cases[0].expect = 'deny';
    cases[1].expect = 'deny';
    await writeFile(at, JSON.stringify({ cases }));
    const { results, coverage } = await testAtlas(directory);
    expect(results.map(({ passed }) => passed)).toEqual([false, false, true, true, true]);
    const small = coverage.find(({ policy_id: id }) => id === 'small-refunds');
    expect(small?.conditions).toEqual([
      { condition: 'amount gt', held: 3, failed: 0 },
      { condition: 'amount lte', held: 2, failed: 1 },
      { condition: 'currency in', held: 2, failed: 1 },
    ]);
  });
});

describe('atlas diff', () => {
  it('names what was changed and the parameter that decides', async () => {
    const directory = await inited('support-refunds');
    const next = `${directory}-next`;
    await cp(directory, next, { recursive: true });
    const at = join(next, 'atlas.json');
    await writeFile(
      at,
      (await readFile(at, 'utf8')).replaceAll('"lte": 50', '"lte": 20').replaceAll('"gt": 50', '"gt": 20'),
    );
    const { changes, decisions } = await diffAtlasPaths(directory, next);
    expect(changes.map(({ message }) => message)).toContain('parameters.when.amount.lte 50 → 20');
    const change = decisions.find(({ before }) => before.effect === 'allow');
    expect(change).toMatchObject({ before: { effect: 'allow' }, after: { effect: 'require_approval' } });
    expect(change?.counterexample.words).toMatch(
      /^when amount is (?:2[1-9]|[34]\d|50) and currency is "(?:EUR|USD)"$/,
    );
  });
});
