import { describe, expect, it } from 'vitest';
import { nodeHasher } from '../../platform/index.ts';
import { readJson } from '../json/reader.ts';
import { eventHash, readTraceEvent, type TraceEvent, traceEventLine } from './event.ts';
import { chainOf, SESSION } from './testing.ts';

const [first, second] = chainOf(SESSION) as [TraceEvent, TraceEvent];
const line = traceEventLine(second);
const edited = (field: string, value: unknown) => JSON.stringify({ ...second, [field]: value });

describe('the line of an event', () => {
  it('reads back as the event, in every mode', () => {
    for (const mode of ['exact', 'strict', 'lenient'] as const) {
      expect(readTraceEvent(traceEventLine(first), 'trace', mode)).toEqual(first);
      expect(readTraceEvent(line, 'trace', mode)).toEqual(second);
    }
  });

  it('is ASCII JSON with the twelve fields in the order of the protocol', () => {
    expect(Object.keys(readJson(traceEventLine(first)) as object)).toEqual([
      'trace_version',
      'event_id',
      'trace_id',
      'span_id',
      'parent_span_id',
      'session_id',
      'sequence',
      'timestamp',
      'event_type',
      'payload',
      'event_hash',
      'previous_event_hash',
    ]);
    expect(traceEventLine(first)).toMatch(/^[ -~]+$/);
  });

  it('takes an absent parent for none', () => {
    const { parent_span_id: _, ...rest } = first;
    const event = readTraceEvent(JSON.stringify(rest), 'trace');
    expect(event.parent_span_id).toBeNull();
    expect(eventHash(nodeHasher, event)).toBe(first.event_hash);
  });

  it.each([
    ['trace_version', '1.1'],
    ['event_id', 'not-a-uuid'],
    ['trace_id', `${second.trace_id}0`],
    ['span_id', ''],
    ['parent_span_id', ''],
    ['parent_span_id', 7],
    ['session_id', null],
    ['sequence', -1],
    ['sequence', 1.5],
    ['sequence', '1'],
    ['timestamp', '2026-03-04'],
    ['timestamp', '2026-02-30T00:00:00Z'],
    ['event_type', 'package.deposited'],
    ['payload', null],
    ['payload', []],
    ['event_hash', second.event_hash.toUpperCase()],
    ['previous_event_hash', 'abc'],
  ])('is refused with %s %j', (field, value) => {
    expect(() => readTraceEvent(edited(field, value), 'trace')).toThrow(
      expect.objectContaining({ code: 'invalid_event', status: 400, pointer: `/${field}` }),
    );
  });

  it('is refused with a field missing, unknown or twice', () => {
    const { span_id: _, ...rest } = second;
    expect(() => readTraceEvent(JSON.stringify(rest), 'trace')).toThrow('span_id must be a string.');
    expect(() => readTraceEvent(edited('severity', 'high'), 'trace')).toThrow(
      '"severity" is no field of an event.',
    );
    const twice = line.replace('"sequence":1', '"sequence":1,"sequence":1');
    expect(() => readTraceEvent(twice, 'trace')).toThrow(expect.objectContaining({ code: 'duplicate_key' }));
    expect(() => readTraceEvent('[]', 'trace')).toThrow('An event is an object.');
  });

  it('is refused with a sequence that is not written as an integer', () => {
    expect(() => readTraceEvent(line.replace('"sequence":1', '"sequence":1.0'), 'trace')).toThrow(
      'sequence must be an integer from 0 on.',
    );
  });

  it('may carry any namespaced type on a ledger chain', () => {
    expect(readTraceEvent(edited('event_type', 'package.deposited'), 'ledger').event_type).toBe(
      'package.deposited',
    );
    for (const type of ['Package.deposited', 'package', 'package.', '.deposited', 'package..x', 'a.b\n']) {
      expect(() => readTraceEvent(edited('event_type', type), 'ledger'), type).toThrow('event_type');
    }
  });

  it('must be as we write it to be exact', () => {
    const spellings = [
      line.replace('"sequence":1', '"sequence": 1'),
      line.replace('resolve', '\\u0072esolve'),
      traceEventLine(first).replace('\\u00dc', 'Ü'),
      traceEventLine(first).replace('\\u00dc', '\\u00DC'),
    ];
    for (const spelling of spellings) {
      expect(readTraceEvent(spelling, 'trace').event_type).toBeDefined();
      expect(() => readTraceEvent(spelling, 'trace', 'exact'), spelling).toThrow(
        'not written as Baton writes it',
      );
    }
  });
});
