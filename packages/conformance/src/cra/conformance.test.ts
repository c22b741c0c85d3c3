import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { nodeHasher, nodeRandom, systemClock } from '../../../../src/platform/index.ts';
import { publishedSchemas } from '../../../../src/slices/governance/published-schemas/schemas.ts';
import { openWorld, worldMigrations } from '../../../../src/slices/governance/testing/world.ts';
import { describeOnSqlite } from '../../../../src/spine/storage/testing.ts';
import { craCases } from './cases/index.ts';
import { runCraConformance } from './run.ts';
import { specFiles } from './spec-files.ts';
import { type FetchLike, faults, listen, wrongServer } from './testing.ts';

const base = {
  token: 'owner',
  otherToken: 'rival',
  schemas: publishedSchemas(),
  clock: systemClock,
  random: nodeRandom,
  hasher: nodeHasher,
  timeoutMs: 60_000,
};

describe('the suite', () => {
  it('has at least 150 cases, each of its own name, over most of the requirements', () => {
    expect(craCases.length).toBeGreaterThanOrEqual(150);
    expect(new Set(craCases.map(({ id }) => id)).size).toBe(craCases.length);
    const covered = new Set(craCases.flatMap(({ covers }) => covers));
    expect(covered.size).toBeGreaterThan(75);
    for (const each of covered) expect(each).toMatch(/^R([1-9]\d?|10\d|11[0-4])$/);
  });

  it('has its data in the files of specs/conformance', async () => {
    const root = join(import.meta.dirname, '../../../../specs/conformance');
    for (const [path, text] of specFiles()) {
      if (process.env.BATON_WRITE_SPECS) {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), text);
      }
      const onDisk = await readFile(join(root, path), 'utf8');
      if (path.endsWith('.jsonl')) expect(onDisk).toBe(text);
      else expect(JSON.parse(onDisk)).toEqual(JSON.parse(text));
    }
  });
});

describeOnSqlite('a run of the suite', (open) => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  async function serve(change: (right: FetchLike) => FetchLike = (right) => right): Promise<string> {
    const world = await openWorld(await open(worldMigrations), { clock: systemClock });
    const right: FetchLike = (request) => world.app.request(request);
    const { url, close } = await listen(change(right));
    closing.push(close);
    return url;
  }

  it('finds nothing wrong with our own server', async () => {
    const report = await runCraConformance({ ...base, baseUrl: await serve() });
    expect(report.results.filter(({ status }) => status === 'failed')).toEqual([]);
    expect(report).toMatchObject({
      version: 'test',
      conformance_level: 'CRA-Minimal',
      test_run: { total: craCases.length, failed: 0 },
    });
    expect(report.results.filter(({ status }) => status === 'skipped').map(({ test_id: id }) => id)).toEqual([
      'http.websocket',
    ]);
    // Hundreds of commits to the disk, one after another.
  });

  const caughtBy: Readonly<Record<keyof typeof faults, string>> = {
    takes_any_version: 'schema.carp.request.version_other',
    drops_unknown_members: 'schema.carp.request.unknown_member',
    ignores_the_clock: 'rule.clock_behind',
    forgets_request_ids: 'rule.request_id_twice',
    allows_by_default: 'policy.default_deny',
    says_success_to_denied_calls: 'execute.action_denied',
    loses_an_event: 'trace.chain',
    hashes_otherwise: 'trace.hash',
    cuts_microseconds: 'trace.timestamps',
    answers_deletes_with_200: 'http.session.end',
    takes_any_manifest: 'atlas.manifest.id_one_segment',
    asks_for_no_credential: 'http.credential.wrong',
  };

  it.each(Object.keys(faults))('catches a server that %s', async (name) => {
    const only = caughtBy[name] as string;
    const fault = faults[name];
    if (!fault) throw new Error(`no fault ${name}`);
    const baseUrl = await serve((right) => wrongServer(right, fault));
    const { results } = await runCraConformance({ ...base, baseUrl, only });
    expect(results.find(({ test_id: id }) => id === only)?.status).toBe('failed');
  });
});
