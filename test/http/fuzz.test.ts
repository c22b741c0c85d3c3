import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { operations } from '../../packages/client/src/operations.ts';
import type { Operation } from '../../src/spine/operations/define.ts';
import { arbitraryFor } from '../setup/arbitrary.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

const RUNS = process.env.BATON_PROVE ? 400 : 12;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await server.close();
});

const hostile = fc.constantFrom<string>(
  '\u0000',
  '../../etc/passwd',
  '%00',
  '__proto__',
  "' or 1=1 --",
  '9'.repeat(40),
  'x'.repeat(3000),
  '\u202e\u200b',
  '{"a":1}',
  '-1',
  '1e309',
);

const hostileBody = fc.constantFrom<string>(
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '[]',
  'null',
  '0',
  '""',
  '{"a":1e999}',
  '{"a":123456789012345678901234567890}',
  `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`,
  '{"a":"\\u0000"}',
);

const callable = (Object.values(operations) as Operation[]).filter(
  ({ kind, http }) => kind === 'call' && http,
);

function textFor(schema: z.ZodObject | undefined): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries((schema?.shape ?? {}) as Record<string, z.ZodType>);
  return fc.record(
    Object.fromEntries(
      fields.map(([name, field]) => [name, fc.oneof({ weight: 3, arbitrary: arbitraryFor(field) }, hostile)]),
    ),
  );
}

describe.each(callable.map((operation) => [operation.name, operation] as const))('%s', (_, operation) => {
  it('never answers 5xx and never hangs, whatever it is sent', async () => {
    const { input, http } = operation;
    const body = input.body
      ? fc.oneof(
          {
            weight: 4,
            arbitrary: arbitraryFor(input.body as z.ZodType).map((value) => JSON.stringify(value) ?? ''),
          },
          hostileBody,
        )
      : fc.constant(undefined);
    await fc.assert(
      fc.asyncProperty(textFor(input.path), textFor(input.query), body, async (path, query, text) => {
        const filled = http!.path.replace(/\{(\w+)\*?\}/g, (__, name: string) =>
          encodeURIComponent(String(path[name])),
        );
        const search = new URLSearchParams();
        for (const [name, value] of Object.entries(query)) {
          // A long-poll that waits is no hang; the fuzzer does not wait for it.
          if (value !== undefined && name !== 'wait') search.append(name, String(value));
        }
        const response = await server.fetch(`${filled}?${search}`, {
          method: http!.method === 'ANY' ? 'POST' : http!.method,
          headers: { 'content-type': 'application/json' },
          ...(text !== undefined && http!.method !== 'GET' && { body: text }),
          signal: AbortSignal.timeout(120_000),
        });
        await response.arrayBuffer();
        expect({ status: response.status, failures: server.failures }).toMatchObject({ failures: [] });
        expect(response.status).toBeLessThan(500);
      }),
      { numRuns: RUNS },
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
