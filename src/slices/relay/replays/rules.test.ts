import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Captured } from './captured.ts';
import { causedBy } from './caused.ts';
import { createCounterparts, openedBy } from './counterparts.ts';
import { lineDiff } from './line-diff.ts';
import { newRequest } from './new-message.ts';

const message: Captured = {
  ...{ traceId: 't', spanId: 's', start: 0n, end: 10n, peerId: 'writer', sender: 'owner', operation: 'send' },
  ...{
    version: '0.3',
    binding: 'JSONRPC',
    contextId: 'c',
    namesContext: true,
    taskId: 'k',
    namesTask: false,
  },
  ...{ message: undefined, fault: undefined, isExact: true },
};

describe('the difference of two texts', () => {
  it('leads from the one to the other, whatever they are', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { lines } = lineDiff(before, after, 1_000);
        const [head, tail] = [lines.findIndex(({ op }) => op !== 'same'), lines.length];
        if (before === after) {
          expect(head).toBe(-1);
          return;
        }
        const kept = (op: string) =>
          lines
            .slice(0, tail)
            .filter((line) => line.op !== op)
            .map((line) => line.text);
        // What stands far from any change is left out on both sides alike.
        const [a, b] = [kept('added').join('\n'), kept('removed').join('\n')];
        const [left, right] = [before.indexOf(a), after.indexOf(b)];
        expect(left).toBeGreaterThanOrEqual(0);
        expect(right).toBeGreaterThanOrEqual(0);
        expect(before.slice(left + a.length)).toBe(after.slice(right + b.length));
      }),
    );
  });

  it('stays small and quick, however long and different they are', () => {
    const long = (word: string) => Array.from({ length: 60_000 }, (_, n) => `${word} ${n}`).join('\n');
    const { lines, cut } = lineDiff(long('a'), long('b'), 400);
    expect([lines.length, cut]).toEqual([400, true]);
  });
});

describe('counterparts', () => {
  it('stand for one context each, and take the one that an agent names', () => {
    let made = 0;
    const counterparts = createCounterparts(() => `new-${++made}`, openedBy([message]));
    expect(counterparts.contextOf(message)).toBe('new-1');
    expect(counterparts.contextOf({ ...message, peerId: 'other' })).toBe('new-1');
    expect(counterparts.contextOf({ ...message, namesContext: false })).toBeUndefined();
    counterparts.learned(message, { contextId: 'theirs', taskId: 'k2', isOver: false });
    expect(counterparts.contextOf(message)).toBe('theirs');
    expect(counterparts.contextOf({ ...message, peerId: 'other' })).toBe('new-1');
    expect(counterparts.taskOf({ ...message, namesTask: true })).toEqual({ taskId: 'k2' });
    expect(counterparts.taskOf({ ...message, taskId: 'x', namesTask: true })).toEqual({
      reason: 'unknown_task',
    });
    expect(counterparts.referenceTo('k')).toBe('k2');
    expect(counterparts.referenceTo('x')).toBeUndefined();
  });
});

describe('a message that another one caused', () => {
  const asked = { ...message, spanId: 'outer', start: 0n, end: 100n };
  const inner = { ...message, spanId: 'inner', peerId: 'critic', sender: 'writer', start: 10n, end: 50n };

  it('is found by the spans above it, or by who sent it while it was asked', () => {
    const below = new Map([
      ['outer', null],
      ['forward', 'outer'],
      ['inner', 'forward'],
    ]);
    expect([...causedBy([asked, { ...inner, sender: 'x' }], below)]).toHaveLength(1);
    expect([
      ...causedBy(
        [asked, inner],
        new Map([
          ['outer', null],
          ['inner', null],
        ]),
      ),
    ]).toEqual([inner]);
    expect([
      ...causedBy(
        [asked, inner],
        new Map([
          ['outer', 'gone'],
          ['inner', 'also gone'],
        ]),
      ),
    ]).toEqual([inner]);
  });

  it('is none where one sender asked both, or where the other had answered', () => {
    const beside = new Map([
      ['outer', 'client'],
      ['inner', 'client'],
    ]);
    expect([...causedBy([asked, inner], beside)]).toEqual([]);
    expect([...causedBy([asked, { ...inner, sender: 'owner' }], new Map())]).toEqual([]);
    expect([...causedBy([asked, { ...inner, start: 101n, end: 120n }], new Map())]).toEqual([]);
  });

  it('is looked for in rings of spans without an end to it', () => {
    const ring = new Map([
      ['inner', 'a'],
      ['a', 'b'],
      ['b', 'a'],
    ]);
    expect([...causedBy([{ ...inner, sender: 'x' }], ring)]).toEqual([]);
  });
});

describe('a request that is sent again', () => {
  it('says who speaks now, and nothing of ids, notices and tenants of the original', () => {
    const rest = {
      message: {
        metadata: { 'agent.id': 'victim', 'agent.target': 'old', mood: 'calm' },
        referenceTaskIds: ['k', 'gone'],
      },
      request: {
        configuration: { blocking: true },
        tenant: 'of old',
        metadata: { 'agent.id': 'victim', run: 7 },
      },
    };
    const request = newRequest(
      message,
      { role: 'user', parts: [{ kind: 'text', text: 'hi' }], rest },
      {
        ...{ messageId: 'm2', contextId: 'c2', taskId: undefined },
        referenceTo: (id) => (id === 'k' ? 'k2' : undefined),
      },
      { speaker: 'ana', to: 'new' },
    );
    expect(request).toEqual({
      configuration: { blocking: true },
      metadata: { run: 7 },
      message: {
        ...{ kind: 'message', messageId: 'm2', role: 'user', contextId: 'c2', referenceTaskIds: ['k2'] },
        parts: [{ kind: 'text', text: 'hi' }],
        metadata: { 'agent.id': 'ana', 'agent.target': 'new', mood: 'calm' },
      },
    });
  });
});
