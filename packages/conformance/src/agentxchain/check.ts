import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Clock } from '../../../../src/kernel/clock.ts';
import { formatMillis } from '../../../../src/kernel/instant.ts';
import type { LooseRecord } from '../../../../src/kernel/json/loose.ts';
import { firstMismatch } from '../../../../src/slices/delivery/conformance/match.ts';
import { requireSurface } from './capabilities.ts';
import { conformanceErrors } from './errors.ts';
import { loadFixtures } from './fixture-file.ts';
import { openHttpTarget } from './http-target.ts';
import { type ConformanceReport, emptyTier, overallOf, record, type TierReport } from './report.ts';
import { openStdioTarget } from './stdio-target.ts';
import { type Answer, brokenAnswer, type Target } from './target.ts';

export interface CheckOptions {
  readonly clock: Clock;
  /** 1, 2 or 3; selects every tier up to it. */
  readonly tier?: number;
  readonly surface?: string;
  readonly target?: string;
  readonly fixtures?: string;
  readonly remote?: string;
  readonly token?: string;
  readonly timeoutMs?: number;
  /** Refuse a pass without `actual`, and regrade the others. */
  readonly strict?: boolean;
  readonly onFixture?: (fixtureId: string, status: string, done: number, total: number) => void;
}

const REMOTE_TIMEOUT_MS = 30_000;

/** Runs a corpus against an implementation. Throws if the run cannot begin. */
export async function checkConformance(options: CheckOptions): Promise<ConformanceReport> {
  const tier = options.tier ?? 1;
  refuseBadOptions(options, tier);
  const targetRoot = options.remote === undefined ? resolve(options.target ?? '.') : null;
  const target = await openTarget(options, targetRoot);
  requireSurface(target.capabilities, options.surface);
  const fixtureRoot = resolve(options.fixtures ?? defaultFixtures(targetRoot ?? '.'));
  const fixtures = await loadFixtures(fixtureRoot, { tier, surface: options.surface });
  const results: Record<string, TierReport> = {};
  for (let level = 1; level <= tier; level += 1) results[`tier_${level}`] = tierReport(target, level);
  for (const [index, fixture] of fixtures.entries()) {
    const report = results[`tier_${fixture.tier}`];
    if (report === undefined || report.status === 'skipped') continue;
    const answer = await target.execute(fixture.document);
    const graded = options.strict === true ? gradeStrictly(fixture.document, answer) : answer;
    record(report, fixture, graded);
    options.onFixture?.(fixture.fixture_id, graded.status, index + 1, fixtures.length);
  }
  return {
    implementation: target.capabilities.implementation,
    protocol_version: target.capabilities.protocolVersion,
    tier_requested: tier,
    timestamp: formatMillis(options.clock.now()),
    target_root: targetRoot,
    remote: options.remote ?? null,
    fixture_root: fixtureRoot,
    results,
    overall: overallOf(Object.values(results)),
  };
}

function tierReport(target: Target, level: number): TierReport {
  if (target.capabilities.tiers.includes(level)) return emptyTier();
  return { ...emptyTier(), status: 'skipped', note: `Tier ${level} is not claimed.` };
}

function openTarget(options: CheckOptions, root: string | null): Promise<Target> {
  if (options.remote === undefined) return openStdioTarget(root ?? '.');
  const { remote: base, token, timeoutMs = REMOTE_TIMEOUT_MS } = options;
  return openHttpTarget({ base, token, timeoutMs });
}

function defaultFixtures(root: string): string {
  const beside = join(root, '.agentxchain-conformance', 'fixtures');
  return existsSync(beside) ? beside : join(root, 'specs', 'agentxchain', 'fixtures');
}

function refuseBadOptions(options: CheckOptions, tier: number): void {
  const refuse = (message: string) => conformanceErrors.conformance_options({ message });
  if (tier !== 1 && tier !== 2 && tier !== 3) throw refuse('--tier is 1, 2 or 3.');
  if (options.remote !== undefined && options.target !== undefined)
    throw refuse('--target and --remote exclude each other.');
  if (options.remote === undefined && options.token !== undefined) throw refuse('--token needs --remote.');
  if (options.remote === undefined && options.timeoutMs !== undefined)
    throw refuse('--timeout needs --remote.');
}

/**
 * A verifier that believes whatever status an adapter prints proves nothing. In strict mode, a pass must show what
 * happened, and that must match what was expected.
 */
function gradeStrictly(fixture: LooseRecord, answer: Answer): Answer {
  if (answer.status !== 'pass') return answer;
  if (answer.actual === null || answer.actual === undefined) {
    return brokenAnswer('The adapter claims a pass without showing `actual`.');
  }
  const mismatch = firstMismatch(fixture.expected, answer.actual);
  if (mismatch === null) return answer;
  return {
    status: 'fail',
    message: `The adapter claims a pass, but its \`actual\` differs at ${mismatch}.`,
    actual: answer.actual,
  };
}
