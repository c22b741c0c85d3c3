import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseFrameReader } from './sse-frames.ts';
import { isLegalChange, readTaskState, statesBetween, TASK_STATES } from './task-state.ts';

describe('task states', () => {
  it('are read in both spellings', () => {
    expect(readTaskState('TASK_STATE_INPUT_REQUIRED')).toBe('input-required');
    expect(readTaskState('input-required')).toBe('input-required');
    expect(readTaskState('TASK_STATE_UNSPECIFIED')).toBeUndefined();
  });

  it('are joined only by legal changes, whichever two a relay happened to see', () => {
    for (const from of TASK_STATES) {
      for (const to of TASK_STATES) {
        let at = from;
        for (const next of statesBetween(from, to)) {
          expect(isLegalChange(at, next)).toBe(true);
          at = next;
        }
      }
    }
    expect(statesBetween('submitted', 'completed')).toEqual(['working', 'completed']);
    expect(statesBetween('completed', 'working')).toEqual([]);
  });
});

describe('server-sent event frames', () => {
  const line = fc.constantFrom(
    'data: {"a":1}',
    'data:x',
    ': comment',
    'event: error',
    'id: 7',
    'data',
    'retry: 5',
    'data: é😀',
  );
  const ending = fc.constantFrom('\n', '\r\n', '\r');
  const stream = fc
    .array(fc.tuple(fc.array(line, { minLength: 0, maxLength: 3 }), ending), { maxLength: 8 })
    .map((frames) => frames.map(([lines, end]) => lines.map((text) => text + end).join('') + end).join(''));

  it('are byte for byte what came in, however it was cut', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(12), { maxLength: 60 }), (text, cuts) => {
        const bytes = new TextEncoder().encode(text);
        const reader = createSseFrameReader();
        const out: Uint8Array[] = [];
        let at = 0;
        for (const size of [...cuts, bytes.length]) {
          out.push(...reader.push(bytes.slice(at, at + size)).map((frame) => frame.bytes));
          at += size;
        }
        out.push(reader.rest());
        expect(Buffer.concat(out)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it('say their event, id and joined data', () => {
    const [first, second] = createSseFrameReader().push(
      new TextEncoder().encode('event: x\nid: 1\ndata: a\ndata:b\n\n: only a comment\n\n'),
    );
    expect(first?.read()).toEqual({ event: 'x', id: '1', data: 'a\nb' });
    expect(second?.read().data).toBeUndefined();
  });
});
