import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadFixtures } from '../../packages/conformance/src/agentxchain/fixture-file.ts';
import { publicFixtures } from '../setup/agentxchain-corpus.ts';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

const OWN = resolve(import.meta.dirname, '../../specs/agentxchain/fixtures');
/** A sample keeps this fast; every fixture runs in the corpus tests, in process. */
const EVERY = 16;

describe('baton conformance check against a running server', () => {
  let server: TestServer;
  let sample: string;
  let taken: string[];
  beforeAll(async () => {
    server = await startTestServer();
    sample = await mkdtemp(join(tmpdir(), 'baton-fixtures-'));
    const fixtures = await loadFixtures(OWN, { tier: 3 });
    taken = fixtures.filter((_, index) => index % EVERY === 0).map(({ path }) => path);
    for (const path of taken) await cp(join(OWN, path), join(sample, basename(path)));
  });
  afterAll(async () => {
    await server.close();
    await rm(sample, { recursive: true, force: true });
  });

  const check = (fixtures: string, ...more: string[]) =>
    runBaton([
      ...['conformance', 'check', '--tier', '3', '--remote', server.url, '--fixtures', fixtures],
      ...['--token', server.ownerToken, '--strict', ...more],
    ]);

  it('passes a sample of our own fixtures on every tier, shown and not only claimed', async () => {
    const { code, stdout } = await check(sample, '--format', 'json');
    const report = JSON.parse(stdout);
    expect({ code, overall: report.overall }).toEqual({ code: 0, overall: 'pass' });
    const tiers = Object.values(report.results as Record<string, { fixtures_passed: number }>);
    expect(tiers.reduce((sum, tier) => sum + tier.fixtures_passed, 0)).toBe(taken.length);
  });

  it.runIf(publicFixtures !== undefined)('passes the public corpus', async () => {
    const { code, stdout } = await check(publicFixtures as string);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('Overall: pass') });
  });

  it('ends with 1 when a fixture fails, and names it', async () => {
    const wrong = await mkdtemp(join(tmpdir(), 'baton-fixtures-'));
    const fixture = JSON.parse(await readFile(join(sample, basename(taken[0] as string)), 'utf8'));
    fixture.expected.result = 'something else';
    await writeFile(join(wrong, 'wrong.json'), JSON.stringify(fixture));
    const { code, stdout } = await check(wrong);
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining(fixture.fixture_id) });
    await rm(wrong, { recursive: true, force: true });
  });

  it('ends with 2 when nothing can be judged, and says what to do', async () => {
    const nobody = await runBaton([
      'verify',
      'protocol',
      '--remote',
      'http://127.0.0.1:9',
      '--fixtures',
      sample,
    ]);
    expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining('→') });
    const both = await runBaton(['conformance', 'check', '--remote', server.url, '--target', '.']);
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('exclude each other') });
  });
});
