import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeHasher } from '../../../platform/index.ts';
import { createSseFrameReader } from '../a2a/sse-frames.ts';
import { isLegalChange, readTaskState, statesBetween, TASK_STATES } from '../a2a/task-state.ts';
import { headersForCaller, headersForPeer } from '../exchanges/headers.ts';
import { classOfStatus, failureOf, PeerFailure } from '../peers/failure.ts';
import { violatesStar } from '../peers/rules.ts';
import { createChunkLog } from './chunk-log.ts';
import { contentValue } from './content.ts';
import { truncateText } from './live-span.ts';
import { redactText, redactValue } from './redact.ts';
import { deriveSessionId } from './session-id.ts';
import { readTraceparent, writeTraceparent } from './trace-context.ts';

const derive = (reference: string) => deriveSessionId(reference, nodeHasher);

describe('a session id', () => {
  it('is derived from the repository and the issue, as the published vector says', () => {
    expect(derive('github:coilysiren/otel-a2a-relay#1')).toBe('c98faa5ecaff76f3');
    expect(derive('github:coilysiren/otel-a2a-relay:1')).toBe('c98faa5ecaff76f3');
  });

  it.each([
    ['gitlab:group/sub/project#7', 'gitlab:group/sub/project:7'],
    ['slack:T01/C02:1700000000.000100', 'slack:T01/C02:1700000000.000100'],
    ['linear:acme:eng-42', 'linear:acme:ENG-42'],
    ['channel:ab45', 'channel:AB45'],
  ])('of %s hashes its canonical key', (reference, key) => {
    expect(derive(reference)).toBe(nodeHasher.hex(key).slice(0, 16));
  });

  it.each([
    '',
    'github:',
    'github:owner#1',
    'github:owner/repo',
    'jira:X-1',
    'channel:A45',
    'constructor:x',
    '__proto__:x',
  ])('is not made up for %j', (reference) => {
    expect(() => derive(reference)).toThrowError(
      expect.objectContaining({ code: 'invalid_session_reference' }),
    );
  });
});

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

describe('the star', () => {
  it.each([
    ['orchestrator', 'worker', false],
    ['worker', 'orchestrator', false],
    ['worker', 'worker', true],
    ['worker', undefined, true],
    [undefined, undefined, false],
  ])('from %s to %s is violated: %s', (sender, target, violated) => {
    expect(violatesStar(sender, target)).toBe(violated);
  });
});

describe('a failure', () => {
  it('has its class from what happened', () => {
    expect(failureOf(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })).failureClass).toBe(
      'peer_disconnect',
    );
    expect(failureOf(Object.assign(new Error('404'), { code: 'ETIMEDOUT' })).failureClass).toBe('timeout');
    expect(failureOf(new Error('timeout 404 reset')).failureClass).toBe('unknown');
    const own = new PeerFailure('peer_404', 'gone', 404);
    expect(failureOf(own)).toBe(own);
    expect([401, 404, 500, 504, 400].map(classOfStatus)).toEqual([
      'peer_auth',
      'peer_404',
      'peer_5xx',
      'timeout',
      undefined,
    ]);
  });
});

describe('headers', () => {
  it('go to the peer as its caller wrote them, except ours and those of the connection', () => {
    const headers = {
      authorization: 'Bearer peers-own',
      'a2a-version': '1.0',
      'x-baton-key': 'ours',
      cookie: 'ours',
      connection: 'keep-alive, x-once',
      'x-once': '1',
      host: 'relay',
      'x-custom': 'yes',
    };
    expect(headersForPeer(headers)).toEqual({
      authorization: 'Bearer peers-own',
      'a2a-version': '1.0',
      'x-custom': 'yes',
    });
  });

  it('come back without cookies, which would be set for the relay', () => {
    const passed = headersForCaller({
      'content-type': 'application/json',
      'set-cookie': ['a=b'],
      connection: 'close',
    });
    expect(passed).toEqual({ 'content-type': 'application/json' });
  });

  it.each([
    ['application/json', false],
    ['Application/JSON; charset=utf-8', false],
    ['application/a2a+json', false],
    ['text/event-stream', false],
    ['text/html', true],
    ['text/html; application/json', true],
    ['image/svg+xml', true],
    [undefined, true],
  ])('come back as no page of ours: %s', (type, shutIn) => {
    const passed = headersForCaller({ 'content-type': type, 'content-security-policy': undefined });
    expect(passed['content-security-policy']).toBe(shutIn ? "default-src 'none'; sandbox" : undefined);
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
    expect(first).toMatchObject({ event: 'x', id: '1', data: 'a\nb' });
    expect(second?.data).toBeUndefined();
  });
});

describe('trace context', () => {
  it('is read strictly and written as it was', () => {
    const header = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    expect(writeTraceparent(readTraceparent(header)!)).toBe(header);
    for (const bad of [
      '',
      'x',
      header.toUpperCase(),
      header.replace('4bf9', '4bfg'),
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `ff${header.slice(2)}`,
      `${header}-more`,
    ]) {
      expect(readTraceparent(bad)).toBeUndefined();
    }
  });
});

describe('content', () => {
  it('has no secret left in it', () => {
    const secrets = [
      'sk-proj-abcdefghijklmnop1234',
      'ghp_abcdefghijklmnopqrst',
      'AKIAABCDEFGHIJKLMNOP',
      'ann@example.org',
      '123-45-6789',
      '4111 1111 1111 1111',
      'Bearer abcdef123456',
    ];
    for (const secret of secrets) expect(redactText(`before ${secret} after`)).not.toContain(secret);
    expect(redactText('password: hunter22')).toBe('password: __REDACTED__');
    for (const card of ['4111111111111111', '4111 1111 1111 1111', '3782-822463-10005'])
      expect(redactText(`card ${card}.`)).toBe('card __REDACTED__.');
    expect(redactText('rows 8 9 10 11 12 13 14 15')).toBe('rows 8 9 10 11 12 13 14 15');
    expect(
      JSON.stringify(redactValue({ a: { api_key: 'zzzzzz', note: ['mail bob@example.org'] } })),
    ).not.toMatch(/zzzzzz|bob@/);
  });

  it('has the digest of a file instead of its bytes', () => {
    const value = contentValue(
      'user',
      [
        { kind: 'file', file: { bytes: 'QUJD', mimeType: 'text/plain', name: 'a' } },
        { raw: 'QUJD', mediaType: 'x/y' },
      ],
      'full',
      nodeHasher,
    );
    expect(value).not.toContain('QUJD');
    expect(value).toContain('"length":3');
  });

  it('is cut between code points, with the count of what is missing', () => {
    const { text, cut } = truncateText('é'.repeat(100), 50);
    expect(text).toMatch(/^é+…\[truncated\]$/);
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(50);
    expect(cut).toBeGreaterThan(150);
  });
});

describe('the chunks of a stream', () => {
  it('stay within the budget and keep every word in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 4 }), { maxLength: 700 }),
        fc.integer({ min: 1, max: 16 }),
        (texts, half) => {
          const log = createChunkLog<string>(half * 2);
          texts.forEach((text, at) => {
            log.add({ at, parts: [text] });
          });
          expect(log.count).toBe(texts.length);
          expect(log.list().length).toBeLessThanOrEqual(half * 2);
          expect(log.list().flatMap(({ parts }) => parts)).toEqual(texts);
        },
      ),
    );
  });
});
