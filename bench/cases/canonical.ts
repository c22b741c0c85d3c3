import canonicalize from 'canonicalize';
import { canonicalAgentic } from '../../src/kernel/json/canonical/agentic.ts';
import { canonicalAppendixB } from '../../src/kernel/json/canonical/appendix-b.ts';
import { canonicalJcs } from '../../src/kernel/json/canonical/jcs.ts';
import type { Json } from '../../src/kernel/json/value.ts';
import type { BenchCase, Side } from '../harness.ts';

const PACKAGE: Json = {
  relay_version: '0.1',
  package_id: 'pkg_0123456789abcdef0123456789abcdef',
  project_id: 'atlas-rewrite',
  title: 'Move the session cache behind the storage port',
  description:
    'The cache read rows straight from the driver, so the PostgreSQL suite could not cover it. '.repeat(5),
  status: 'complete',
  review_type: 'none',
  package_type: 'milestone',
  significance: 6,
  created_at: '2026-03-04T05:06:07.890Z',
  created_by: { id: 'coral-heron', type: 'agent', session_id: '01890000-0000-7000-8000-000000000001' },
  decisions_made: ['Keep one statement per query', 'Drop the second cache'],
  open_questions: ['Does the importer need the old key order?'],
  deliverables: [{ path: 'src/storage/cache.ts', type: 'code', size_bytes: 4211 }],
  tags: ['storage', 'cache', 'refactoring'],
};

const EVENT_PAYLOAD: Json = {
  resolution_id: '01890000-0000-7000-8000-000000000abc',
  request_id: '01890000-0000-7000-8000-000000000def',
  decision_type: 'partial',
  allowed_count: 4,
  denied_count: 1,
  context_block_count: 2,
  ttl_seconds: 3600,
  actions: ['resource.read', 'resource.list', 'resource.update', 'resource.create'],
  goal: 'Read the quarterly figures and file a summary for the finance team',
};

const TIMES = 20_000;

function repeat(write: (value: Json) => unknown, value: Json): Side {
  return () => {
    for (let i = 0; i < TIMES; i += 1) write(value);
    return TIMES;
  };
}

export const benchCase: BenchCase = {
  name: 'canonical',
  title: 'Canonical JSON against the canonicalize package',
  prepare: () => ({
    comparisons: [
      ['a 1 kB package', PACKAGE] as const,
      ['the payload of an event', EVENT_PAYLOAD] as const,
    ].map(([title, value]) => ({
      title,
      unit: 'documents',
      sides: {
        agentic: repeat(canonicalAgentic, value),
        'appendix-b': repeat(canonicalAppendixB, value),
        jcs: repeat(canonicalJcs, value),
        canonicalize: repeat(canonicalize as (value: Json) => unknown, value),
      },
      goals: ['agentic', 'appendix-b', 'jcs'].map((side) => ({
        text: `${side} at least 3 times as fast as canonicalize`,
        met: (rates: Readonly<Record<string, number>>) => rates[side]! >= 3 * rates.canonicalize!,
      })),
    })),
  }),
};
