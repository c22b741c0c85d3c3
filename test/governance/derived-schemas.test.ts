/**
 * The published JSON Schemas used to be written by hand; now they are derived from zod. The documents that were
 * published before are kept in `hand-written-schemas/`: both must take and refuse the same documents.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { TRACE_EVENT_TYPES } from '../../src/kernel/trace/event-types.ts';
import { atlasManifestSchema } from '../../src/slices/governance/atlases/schema.ts';
import { publishedSchemas, type SchemaName } from '../../src/slices/governance/published-schemas/schemas.ts';
import {
  carpResolutionSchema,
  strictCarpRequestSchema,
} from '../../src/slices/governance/resolution/schema.ts';
import { traceEventSchema } from '../../src/slices/governance/traces/schema.ts';

const root = join(import.meta.dirname, '../..');
const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));
const published = publishedSchemas();
const names = Object.keys(published) as SchemaName[];
const byHand = (name: SchemaName) =>
  readJson(import.meta.dirname, 'hand-written-schemas', `${name}.schema.json`);

const UUID = '01900000-0000-7000-8000-000000000001';
const conditions = {
  risk_tiers: ['low'],
  agents: ['*'],
  capabilities: ['a'],
  context_matches: { env: 'test' },
  time_window: { start: '22:00', end: '06:00:00Z', timezone: 'UTC', days: ['mon'] },
};

/** One document of each kind with every member that its schema names. */
const full: Readonly<Record<SchemaName, object>> = {
  'carp-request': {
    carp_version: '1.0',
    request_id: UUID,
    timestamp: '2026-01-01T00:00:00.000001Z',
    operation: 'execute',
    requester: { agent_id: 'bot', session_id: UUID, parent_session_id: UUID },
    task: { goal: 'Work', risk_tier: 'low', context_hints: ['a'], required_capabilities: ['b'] },
    execution: { resolution_id: UUID, action_id: 'a.b', parameters: { a: 1 }, idempotency_key: 'k' },
    atlas_ids: ['com.example.a'],
    context: { env: 'test' },
  },
  'carp-resolution': {
    carp_version: '1.0',
    resolution_id: UUID,
    request_id: UUID,
    timestamp: '2026-01-01T00:00:00+01:00',
    decision: { type: 'allow', reason: 'why', approval_id: 'a', expires_at: '2026-01-01T00:00:00Z' },
    context_blocks: [
      {
        block_id: 'b',
        source: 's',
        content_type: 'text/plain',
        content: 'c',
        priority: 1,
        token_estimate: 1,
        metadata: {},
      },
    ],
    allowed_actions: [
      {
        action_id: 'a.b',
        name: 'n',
        description: 'd',
        parameters_schema: {},
        returns_schema: {},
        risk_tier: 'high',
        requires_confirmation: false,
        idempotent: true,
        rate_limit: { max_calls: 1, window_seconds: 1 },
      },
    ],
    denied_actions: [{ action_id: 'x', reason: 'r', policy_id: 'p' }],
    constraints: [{ constraint_id: 'c', type: 'budget', parameters: {} }],
    ttl_seconds: 3600,
    trace_id: UUID,
  },
  'trace-event': {
    trace_version: '1.0',
    event_id: UUID,
    trace_id: UUID,
    span_id: UUID,
    parent_span_id: UUID,
    session_id: UUID,
    sequence: 0,
    timestamp: '2026-01-01T00:00:00Z',
    event_type: 'session.started',
    payload: { goal: 'g' },
    event_hash: 'a'.repeat(64),
    previous_event_hash: '0'.repeat(64),
  },
  'atlas-manifest': {
    atlas_version: '1.0',
    atlas_id: 'com.example.a',
    version: '1.0.0',
    name: 'n',
    description: 'd',
    authors: ['a'],
    license: 'MIT',
    homepage: 'https://example.com',
    repository: 'https://example.com/r',
    domains: ['d'],
    capabilities: [
      { capability_id: 'a.b', name: 'n', description: 'd', actions: ['a.b'], context_packs: ['p'] },
    ],
    context_packs: [
      {
        pack_id: 'p',
        name: 'n',
        description: 'd',
        files: ['f.md'],
        priority: 1,
        conditions,
        max_tokens: 1,
      },
    ],
    policies: [
      {
        policy_id: 'p',
        name: 'n',
        description: 'd',
        type: 'allow',
        priority: 1,
        conditions,
        actions: ['*'],
        parameters: { reason: 'r' },
      },
    ],
    actions: [
      {
        action_id: 'a.b',
        name: 'n',
        description: 'd',
        parameters_schema: { type: 'object' },
        returns_schema: {},
        risk_tier: 'low',
        idempotent: true,
        requires_confirmation: true,
        executor: 'echo',
        timeout_seconds: 30,
        rate_limit: { max_calls: 1, window_seconds: 1 },
        examples: [{ name: 'n', parameters: {}, expected_result: {} }],
      },
    ],
    adapters: { mcp: { enabled: true, settings: {} } },
    dependencies: { 'com.example.b': '^1.0.0' },
    metadata: { a: 1 },
  },
};

/** Values on both sides of every bound, pattern and enumeration of the schemas. */
const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  {},
  { extra: 1 },
  { extra: 'x' },
  [],
  [1],
  ['x'],
  [{}],
  ...[-1, 0, 1, 1.5, 300, 301, 1000, 1001, 86_400, 86_401, 2 ** 53, -(2 ** 60), 1e300],
  ...[0, 1, 100, 101, 255, 256, 1000, 1001, 10_000, 10_001].flatMap((n) => ['x'.repeat(n), '😀'.repeat(n)]),
  ...['1.0', '1.1', '1.0.0', '01.0.0', '1.0.0-rc.1+b', 'v1.0.0', '1.0.0\n'],
  ...[UUID, UUID.toUpperCase(), UUID.slice(1), `${UUID} `, `{${UUID}}`],
  ...['a', 'a.b', 'a.b-c', 'A.b', 'a..b', '.a', 'a.b\n', 'a1.b2.c3', 'com.example.support'],
  ...[
    '2026-01-01T00:00:00Z',
    '2026-01-01t00:00:00z',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-13-01T00:00:00Z',
  ],
  ...['22:00', '22:00:00', '24:00', '22:00:00.5+02:00', '7:00', '22:00:00Z'],
  ...['https://example.com', 'mailto:a@example.com', 'example.com', '//example.com', 'x:', '1x:y'],
  ...['a'.repeat(64), 'A'.repeat(64), 'a'.repeat(63), 'g'.repeat(64)],
  ...['resolve', 'execute', 'validate', 'allow', 'deny', 'partial', 'requires_approval', 'require_approval'],
  ...[
    'rate_limit',
    'budget',
    'scope',
    'time_window',
    'low',
    'medium',
    'high',
    'critical',
    'mon',
    'sun',
    'xxx',
  ],
  ...['text/markdown', 'text/plain', 'application/json', 'text/html', ...TRACE_EVENT_TYPES],
];

type Path = readonly (string | number)[];
type Change = { readonly path: Path; readonly value: unknown };

/** Every place in a document, and a place for a member that it does not have in each of its objects. */
function places(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, each]) =>
    places(each, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return [path, ...inner, ...(Array.isArray(value) ? [] : [[...path, 'unknown_member']])];
}

/** `undefined` takes the member out. */
function changed(document: object, changes: readonly Change[]): unknown {
  let copy: unknown = structuredClone(document);
  for (const { path, value } of changes) {
    const last = path.at(-1);
    if (last === undefined) {
      copy = value;
      continue;
    }
    const holder = path.slice(0, -1).reduce<unknown>((at, key) => {
      return typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined;
    }, copy);
    if (typeof holder !== 'object' || holder === null) continue;
    if (value !== undefined) (holder as Record<string, unknown>)[last] = value;
    else if (Array.isArray(holder)) holder.splice(Number(last), 1);
    else delete (holder as Record<string, unknown>)[last];
  }
  return copy;
}

function compile(schema: object, validateFormats: boolean): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, validateFormats });
  if (validateFormats) ajvFormats.default(ajv);
  return ajv.compile(schema);
}

interface SpecCase {
  readonly schema?: string;
  readonly document?: unknown;
  readonly set?: object;
  readonly without?: readonly string[];
}

const zods: Readonly<Record<SchemaName, z.ZodType>> = {
  'carp-request': strictCarpRequestSchema,
  'carp-resolution': carpResolutionSchema,
  'trace-event': traceEventSchema,
  'atlas-manifest': atlasManifestSchema,
};

describe.each(names)('the derived schema of %s', (name) => {
  const derived = published[name];
  const before = byHand(name);
  const pairs = [false, true].map((formats) => ({
    old: compile(before, formats),
    now: compile(derived, formats),
  }));
  const compare = (document: unknown): boolean => {
    const verdicts = pairs.map(({ old, now }) => {
      const verdict = old(document);
      if (now(document) !== verdict) {
        expect.fail(
          `${verdict ? 'refused' : 'taken'} only by the derived one: ${JSON.stringify(document)?.slice(0, 2000)}`,
        );
      }
      return verdict;
    });
    // What our own reader takes, whoever reads the published schema takes as well.
    if (!verdicts[0]) expect(zods[name].safeParse(document).success).toBe(false);
    return verdicts[0] === true;
  };

  it('is valid draft 2020-12 under the id that it always had', () => {
    expect(new Ajv2020({ strict: false }).validateSchema(derived)).toBe(true);
    const head = ({ $schema, $id, title }: Record<string, unknown>) => ({ $schema, $id, title });
    expect(head(derived)).toEqual(head(before));
    expect(new Set(derived.required as string[])).toEqual(new Set(before.required));
  });

  it('takes the full document, and judges every single change to it as the hand-written one does', () => {
    expect(compare(full[name])).toBe(true);
    let taken = 0;
    let refused = 0;
    for (const path of places(full[name])) {
      for (const value of [undefined, ...VALUES]) {
        if (compare(changed(full[name], [{ path, value }]))) taken += 1;
        else refused += 1;
      }
    }
    expect(Math.min(taken, refused)).toBeGreaterThan(100);
  });

  it('judges documents with many changes as the hand-written one does', () => {
    const change = fc.record({
      path: fc.constantFrom(...places(full[name]).slice(1)),
      value: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(undefined, ...VALUES) }, fc.jsonValue()),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), (changes) => {
        compare(changed(full[name], changes));
      }),
      { numRuns: 500 },
    );
  });

  it('judges the cases of the specifications as the hand-written one does', () => {
    const corpora = process.env.BATON_CORPORA ?? join(root, '../shared/corpora');
    const files = [
      join(root, 'specs/conformance/schema', `${name}.json`),
      join(corpora, 'cra/schema-cases.json'),
    ];
    for (const file of files.filter(existsSync)) {
      for (const each of readJson(file).cases as SpecCase[]) {
        if ((each.schema ?? name) !== name) continue;
        const built: Record<string, unknown> = { ...full[name], ...each.set };
        for (const member of each.without ?? []) delete built[member];
        compare(each.document ?? built);
      }
    }
    for (const each of readJson(root, 'specs/conformance/hash-chain/cases.json').cases) {
      for (const event of each.events) compare(event);
    }
    compare(readJson(root, 'specs/conformance/golden/library/atlas.json'));
  });
});
