import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeHasher } from '../../platform/index.ts';
import { canonicalAppendixB } from '../json/canonical/appendix-b.ts';
import { readJson } from '../json/reader.ts';
import { objectText } from '../json/testing.ts';
import type { JsonObject } from '../json/value.ts';
import { eventHash } from './event.ts';

/** Appendix B in the language it is written in: one event a line in, its canonical payload and its hash out. */
const ORACLE = `
import hashlib, json, sys
FIELDS = ['trace_version', 'event_id', 'trace_id', 'span_id', 'parent_span_id', 'session_id', 'sequence', 'timestamp', 'event_type']
for line in sys.stdin.buffer:
    event = json.loads(line)
    payload = json.dumps(event['payload'], sort_keys=True, separators=(',', ':'))
    head = ''.join(str(event[field]) if event[field] is not None else '' for field in FIELDS)
    data = head + payload + event['previous_event_hash']
    print(payload + '\\t' + hashlib.sha256(data.encode('utf-8')).hexdigest())
`;

const found = spawnSync('python3', ['-c', 'print(1)']).status === 0;
const required = (process.env.BATON_TEST_REQUIRE ?? '').split(',').includes('python3');
if (!found && !required) console.warn('Skipped the comparison with Python: there is no python3.');

describe.runIf(found || required)('Appendix B', () => {
  it('is what Python computes, for random events', { timeout: 1_200_000 }, () => {
    const count = process.env.BATON_PROVE === '1' ? 100_000 : 2000;
    const seed = Number(process.env.BATON_SEED ?? Math.trunc(Math.random() * 2 ** 31));
    const id = fc.uuid();
    const events = fc.sample(
      fc.record({
        event_id: id,
        trace_id: id,
        span_id: id,
        parent_span_id: fc.option(id),
        session_id: id,
        sequence: fc.nat(),
        event_type: fc.constantFrom('session.started', 'action.denied'),
        payloadText: objectText,
      }),
      { numRuns: count, seed },
    );
    const lines = events.map(({ payloadText, ...fields }) => {
      const rest = { trace_version: '1.0', timestamp: '2026-01-02T03:04:05.678901Z', ...fields };
      return `${JSON.stringify({ ...rest, previous_event_hash: '0'.repeat(64) }).slice(0, -1)},"payload":${payloadText}}`;
    });
    const { stdout, stderr, status } = spawnSync('python3', ['-c', ORACLE], {
      input: `${lines.join('\n')}\n`,
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    });
    expect(status, `seed ${seed}\n${stderr}`).toBe(0);
    const answers = stdout.trimEnd().split('\n');
    expect(answers).toHaveLength(count);
    for (const [index, line] of lines.entries()) {
      const event = readJson(line) as unknown as Parameters<typeof eventHash>[1] & { payload: JsonObject };
      const ours = `${canonicalAppendixB(event.payload)}\t${eventHash(nodeHasher, event)}`;
      if (ours !== answers[index]) expect(ours, `seed ${seed}, line ${line}`).toBe(answers[index]);
    }
  });
});
