import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Clock, Random } from '../../../../src/kernel/clock.ts';
import type { Hasher } from '../../../../src/kernel/hasher.ts';
import { uuidV7Source } from '../../../../src/kernel/ids.ts';
import { formatMillis } from '../../../../src/kernel/instant.ts';
import { Bench, type BenchParts, type SchemaName } from './bench.ts';
import { CaseFailure, CaseSkipped, type ConformanceCase } from './case.ts';
import { craCases } from './cases/index.ts';
import { type CaseResult, type CraReport, levelOf } from './report.ts';
import { openTarget, type Target } from './target.ts';

export interface CraConformanceOptions {
  readonly baseUrl: string;
  readonly token?: string;
  /** A credential of another agent, for cases about ownership. */
  readonly otherToken?: string;
  /** An executor that answers; `echo` unless told. */
  readonly executor?: string;
  /** The published schemas by name. */
  readonly schemas: Readonly<Record<SchemaName, Readonly<Record<string, unknown>>>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  readonly timeoutMs?: number;
  readonly implementation?: string;
  /** Only cases whose id begins so. */
  readonly only?: string;
  readonly openSocket?: BenchParts['openSocket'];
  readonly onResult?: (result: CaseResult) => void;
}

/** Runs the suite against a server, one case after another, and reports as CONFORMANCE asks. */
export async function runCraConformance(options: CraConformanceOptions): Promise<CraReport> {
  const { clock } = options;
  const target = openTarget(options.baseUrl, options.token, options.timeoutMs ?? 10_000);
  const parts: BenchParts = {
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
    const result = await runCase(each, parts);
    results.push({ ...result, area: each.area });
    options.onResult?.(result);
  }
  const count = (status: CaseResult['status']) => results.filter((each) => each.status === status).length;
  return {
    implementation: options.implementation ?? target.baseUrl,
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

async function runCase(each: ConformanceCase, parts: BenchParts): Promise<CaseResult> {
  const bench = new Bench(parts);
  const began = parts.clock.now();
  const done = (status: CaseResult['status'], rest: Partial<CaseResult> = {}): CaseResult => ({
    test_id: each.id,
    status,
    duration_ms: Math.round((parts.clock.now() - began) / 1000),
    ...rest,
  });
  try {
    await each.run(bench);
    return done('passed');
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof CaseSkipped) return done('skipped', { error: message });
    return done('failed', {
      error: message,
      details: { covers: each.covers, ...(error instanceof CaseFailure && { found: error.details }) },
    });
  } finally {
    await bench.clean();
  }
}

function schemaChecker(schemas: CraConformanceOptions['schemas']): BenchParts['schemaFaults'] {
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
  return typeof reply?.body?.version === 'string' ? reply.body.version : 'unknown';
}
