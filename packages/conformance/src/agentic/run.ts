import { Failure, Skip } from '../assertions.ts';
import type { Target } from '../target.ts';
import { type Check, type Level, levels } from './check.ts';
import { extensionChecks } from './checks/extensions.ts';
import { factChecks } from './checks/facts.ts';
import { hashingChecks } from './checks/hashing.ts';
import { packageChecks } from './checks/packages.ts';
import { readingChecks } from './checks/reading.ts';
import { reviewChecks } from './checks/reviews.ts';
import { Trial, type WireActor } from './trial.ts';

const SUITE_VERSION = '1.0.0';

export const checks: readonly Check[] = [
  ...packageChecks,
  ...hashingChecks,
  ...readingChecks,
  ...factChecks,
  ...reviewChecks,
  ...extensionChecks,
];

/** Requirements that no client can check from outside, and why. */
export const unobservable: Readonly<Record<string, string>> = {
  A5: 'concerns the ids that clients choose',
  A29: 'needs a store that has been tampered with',
  A30: 'needs a store that has been tampered with',
  A64: 'a server without atomicity fails A63 instead',
  A72: 'needs a second server',
  A75: 'advice to authors',
  A82: 'covered by A46 if a capability is missing',
  A85: 'is the verdict of the whole run',
};

export type Outcome = 'pass' | 'fail' | 'warn' | 'skip';

export interface Result {
  readonly check: Check;
  readonly outcome: Outcome;
  readonly message: string | undefined;
  readonly seconds: number;
}

export interface SuiteOptions {
  readonly target: Target;
  readonly level: Level;
  readonly run: string;
  readonly actor?: WireActor | undefined;
  readonly onResult?: (result: Result, done: number, total: number) => void;
}

export interface SuiteReport {
  readonly suite_version: string;
  readonly url: string;
  readonly descriptor: unknown;
  readonly wanted: Level;
  /** The highest level, up to the wanted one, whose MUSTs all hold; null if not even L0 does. */
  readonly reached: Level | null;
  readonly passed: boolean;
  readonly results: readonly Result[];
}

/** Runs every check up to the level; L3 includes the extensions. */
export async function runSuite(options: SuiteOptions): Promise<SuiteReport> {
  const { target, level } = options;
  const wanted = checks.filter((check) => levels.indexOf(check.level) <= levels.indexOf(level));
  const descriptor = (await target.send('GET', '/v1/conformance')).json;
  const trial = await prepare(options);
  const results: Result[] = [];
  for (const check of wanted) {
    const result = await runCheck(check, trial);
    results.push(result);
    options.onResult?.(result, results.length, wanted.length);
  }
  const reached = highest(results, level);
  const passed = reached === level;
  return {
    suite_version: SUITE_VERSION,
    url: target.url,
    descriptor,
    wanted: level,
    reached,
    passed,
    results,
  };
}

async function runCheck(check: Check, trial: Trial): Promise<Result> {
  const started = performance.now();
  const done = (outcome: Outcome, message?: string): Result => ({
    check,
    outcome,
    message,
    seconds: (performance.now() - started) / 1000,
  });
  try {
    await check.run(trial);
    return done('pass');
  } catch (error) {
    if (error instanceof Skip) return done('skip', error.message);
    const message = error instanceof Failure ? error.message : `the check could not be run: ${String(error)}`;
    return done(check.weight === 'MUST' ? 'fail' : 'warn', message);
  }
}

function highest(results: readonly Result[], wanted: Level): Level | null {
  const failed = new Set(results.filter(({ outcome }) => outcome === 'fail').map(({ check }) => check.level));
  const first = levels.findIndex((level) => failed.has(level));
  return first === -1 ? wanted : (levels[first - 1] ?? null);
}

/** Finds out whose credential it is and whether it may write for others: servers may forbid that. */
async function prepare({ target, run, actor }: SuiteOptions): Promise<Trial> {
  const named = actor ?? (await actorOf(target)) ?? { id: 'conformance', type: 'agent' };
  const other = { id: `conformance_author_${run}`, type: 'agent' };
  const probe = new Trial({ target, run: `${run}_probe`, actor: named, other: undefined });
  await probe.ensureProject();
  const reply = await probe.deposit(probe.aPackage({ created_by: other }));
  const trial = new Trial({ target, run, actor: named, other: reply.status < 300 ? other : undefined });
  await trial.ensureProject();
  return trial;
}

async function actorOf(target: Target): Promise<WireActor | undefined> {
  const { json, status } = await target.send('GET', '/v1/whoami');
  return status === 200 && json?.actor_id ? { id: json.actor_id, type: json.actor_type } : undefined;
}
