import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Clock, Random } from '../../../../src/kernel/clock.ts';
import type { Hasher } from '../../../../src/kernel/hasher.ts';
import { uuidV7Source } from '../../../../src/kernel/ids.ts';
import { formatMillis } from '../../../../src/kernel/instant.ts';
import { Failure, Skip } from '../assertions.ts';
import { httpTarget, type Target } from '../target.ts';
import { Bench, type BenchDeps, type SchemaName } from './bench.ts';
import type { ConformanceCase } from './case.ts';
import { craCases } from './cases/index.ts';
import { type CaseResult, type CraReport, levelOf } from './report.ts';

export interface CraConformanceOptions {
  readonly baseUrl: string;
  readonly token?: string;
  /** The credential of another agent, for cases about ownership. */
  readonly otherToken?: string;
  /** An executor that answers; `echo` by default. */
  readonly executor?: string;
  /** The published schemas by name. */
  readonly schemas: Readonly<Record<SchemaName, Readonly<Record<string, unknown>>>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  readonly timeoutMs?: number;
  readonly implementation?: string;
  /** Only cases whose id begins with this. */
  readonly only?: string;
  readonly openSocket?: BenchDeps['openSocket'];
  readonly onResult?: (result: CaseResult) => void;
}

/** Runs the suite against a server, one case at a time, and reports in the form that CONFORMANCE specifies. */
export async function runCraConformance(options: CraConformanceOptions): Promise<CraReport> {
  const { clock } = options;
  const target = httpTarget(options.baseUrl, options.token, options.timeoutMs ?? 10_000);
  const deps: BenchDeps = {
    target,
    clock,
    ids: uuidV7Source(clock, options.random),
    hasher: options.hasher,
    schemaFaults: schemaChecker(options.schemas),
    executor: options.executor ?? 'echo',
    otherToken: options.otherToken,
    ...(options.openSocket && { openSocket: options.openSocket }),
  };
  const began = clock.now();
  const results: (CaseResult & { readonly area: ConformanceCase['area'] })[] = [];
  for (const each of craCases) {
    if (options.only !== undefined && !each.id.startsWith(options.only)) continue;
    const result = await runCase(each, deps);
    results.push({ ...result, area: each.area });
    options.onResult?.(result);
  }
  const count = (status: CaseResult['status']) => results.filter((each) => each.status === status).length;
  return {
    implementation: options.implementation ?? target.url,
    version: await versionOf(target),
    conformance_level: levelOf(results),
    test_run: {
      timestamp: formatMillis(began),
      duration_ms: Math.round((clock.now() - began) / 1000),
      total: results.length,
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
    },
    results: results.map(({ area, ...result }) => result),
  };
}

async function runCase(each: ConformanceCase, deps: BenchDeps): Promise<CaseResult> {
  const bench = new Bench(deps);
  const began = deps.clock.now();
  const done = (status: CaseResult['status'], rest: Partial<CaseResult> = {}): CaseResult => ({
    test_id: each.id,
    status,
    duration_ms: Math.round((deps.clock.now() - began) / 1000),
    ...rest,
  });
  try {
    await each.run(bench);
    return done('passed');
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof Skip) return done('skipped', { error: message });
    return done('failed', {
      error: message,
      details: { covers: each.covers, ...(error instanceof Failure && { found: error.details }) },
    });
  } finally {
    await bench.clean();
  }
}

function schemaChecker(schemas: CraConformanceOptions['schemas']): BenchDeps['schemaFaults'] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  const validators = new Map(
    Object.entries(schemas).map(([name, schema]) => [name, ajv.compile({ ...schema })]),
  );
  return (name, message) => {
    const validate = validators.get(name);
    if (!validate || validate(message)) return [];
    return (validate.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.message}`);
  };
}

async function versionOf(target: Target): Promise<string> {
  const reply = await target.send('GET', '/v1/health').catch(() => undefined);
  return typeof reply?.json?.version === 'string' ? reply.json.version : 'unknown';
}
