import { createChainVerifier } from '../../../../kernel/trace/verify-chain.ts';
import { nodeHasher } from '../../../../platform/node-hasher.ts';
import { issuesOf } from '../../issues.ts';
import { compilePolicies } from '../../policies/rules/compile.ts';
import type { TraceRecord } from '../../traces/rules/state.ts';
import { AtlasTester, type AtlasTestReport, caseFileSchema } from '../rules/tester.ts';
import { filesBelow, readInside } from './inside.ts';
import { requireAtlas } from './read.ts';

export interface AtlasTestOutcome extends AtlasTestReport {
  readonly passed: boolean;
  /** Whether enough policies were reached; see `minimum`. */
  readonly enough: boolean;
}

/** `baton atlas test DIR [--min-coverage N]`: replays `tests/*.trace.jsonl` and runs `tests/*.cases.json`. */
export async function testAtlas(directory: string, minimum = 0): Promise<AtlasTestOutcome> {
  const atlas = await requireAtlas(directory, { hasher: nodeHasher });
  const tester = new AtlasTester(compilePolicies([{ atlas, mode: 'enforce' }]));
  for (const path of await filesBelow(directory, 'tests', '.cases.json')) {
    const parsed = caseFileSchema.safeParse(JSON.parse((await readInside(directory, path)) ?? ''));
    if (parsed.success)
      for (const each of parsed.data.cases) tester.case({ ...each, name: `${path}: ${each.name}` });
    else {
      const [issue] = issuesOf(parsed.error);
      tester.fail(path, `${issue?.message ?? 'not readable'} at ${issue?.pointer || 'the top'}`);
    }
  }
  for (const path of await filesBelow(directory, 'tests', '.trace.jsonl')) {
    const lines = ((await readInside(directory, path)) ?? '').split('\n').filter((line) => line !== '');
    const verifier = createChainVerifier(nodeHasher, { profile: 'auto' });
    for (const line of lines) verifier.push(line);
    const report = verifier.finish();
    if (!report.valid) tester.fail(path, `the trace does not verify: ${report.errors[0]?.error}`);
    else
      tester.trace(
        path,
        lines.map((line) => JSON.parse(line) as TraceRecord),
      );
  }
  const report = tester.report();
  const enough = report.covered >= minimum;
  return { ...report, enough, passed: enough && report.results.every(({ passed }) => passed) };
}
