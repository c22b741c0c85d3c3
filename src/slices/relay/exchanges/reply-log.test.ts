import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nodeHasher } from '../../../platform/index.ts';
import { createReplyLog } from './reply-log.ts';

const said = (text: string, source = 'artifact a') => [{ source, part: { kind: 'text', text } }];

it('has the digest of the whole text, wherever it was cut, also within a character', () => {
  const unit = fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), fc.array(fc.nat(60)), fc.boolean(), (end, cuts, long) => {
      const text = (long ? 'x'.repeat(300_000) : '') + end;
      const log = createReplyLog(nodeHasher, 'redacted');
      let from = 0;
      for (const at of [...cuts.map((cut) => text.length - cut).sort((a, b) => a - b), text.length]) {
        if (at <= from) continue;
        log.add(0, said(text.slice(from, at)));
        log.digest();
        from = at;
      }
      expect(log.digest()).toBe(createHash('sha256').update(text).digest('hex'));
    }),
  );
});

it('keeps as much as is shown of a stream that does not end, and counts the rest', () => {
  const log = createReplyLog(nodeHasher, 'redacted');
  const piece = 'so on and on ';
  const pieces = 50_000;
  for (let n = 0; n < pieces; n += 1) log.add(n, said(piece, `artifact ${'long '.repeat(100)}${n % 3}`));
  const shown = log.shown();
  expect(shown.length).toBe(10_000);
  const characters = shown.reduce((sum, { text }) => sum + String(text).length, 0);
  expect(characters + log.cut).toBe(piece.length * pieces);
  expect(log.text()).toBe(piece.repeat(pieces).slice(0, 256 * 1024));
  expect([log.count, log.pieces]).toEqual([pieces, pieces]);
  expect(log.chunks().length).toBeLessThanOrEqual(64);
  expect(new Set(log.chunks().flatMap(({ parts }) => parts.map(({ source }) => source))).size).toBe(3);
});

it('takes any number of parts at once', () => {
  const log = createReplyLog(nodeHasher, 'full');
  log.add(0, Array(300_000).fill(said('.')[0]));
  expect([log.count, log.text().length]).toEqual([300_000, 256 * 1024]);
});

it('shows nothing where nothing is to be kept, and knows the digest all the same', () => {
  const log = createReplyLog(nodeHasher, undefined);
  log.add(0, said('private'));
  expect(log.digest()).toBe(nodeHasher.hex('private'));
  expect([log.shown(), JSON.stringify(log.chunks())]).toEqual([[], expect.not.stringContaining('private')]);
});
