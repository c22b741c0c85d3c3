import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../../spine/operations/flow.ts';
import { createStreamHub, type FrameEncoder, type HubOptions, type Source } from './hub.ts';

const frame = (text: string) => Buffer.from(`data: ${text}\n\n`);

/** Gives the first piece at once, as a peer's answer does that came with its headers. */
function sourceOf(pieces: readonly Uint8Array[], happened: string[]): Source {
  return {
    async follow(take, over) {
      for (const piece of pieces) {
        take(piece);
        await Promise.resolve();
      }
      over(undefined);
    },
    pause: () => happened.push('made to wait'),
    resume: () => happened.push('goes on'),
    destroy: () => happened.push('gave up'),
  };
}

type Take = (piece: Uint8Array) => void;

function hubOver(pieces: readonly Uint8Array[], more: Partial<HubOptions> = {}) {
  const happened: string[] = [];
  const hub = createStreamHub({
    source: sourceOf(pieces, happened),
    onFrame: (frame) => happened.push(`looked at ${frame.read().data}`),
    mustBeSeen: () => false,
    onEnd: (error) => {
      happened.push(error === undefined ? 'ended' : `broke off: ${(error as Error).message}`);
      return error === undefined ? undefined : { code: -32011, message: 'The stream broke off.' };
    },
    onAlone: () => happened.push('alone'),
    waitSeconds: 1,
    ...more,
  });
  const subscribe = (encode: FrameEncoder = ({ bytes }) => bytes) =>
    hub.subscribe({
      caller: 'caller',
      from: 0,
      encode,
      encodeError: ({ message }) => Buffer.from(message),
    });
  return { hub, happened, subscribe };
}

describe('a stream that several callers may follow', () => {
  it.each([
    ['piece by piece', [frame('a'), frame('b')]],
    ['at once', [Buffer.concat([frame('a'), frame('b')])]],
  ])('is passed on before anything is made of it, when it comes %s', async (_, pieces) => {
    const { happened, subscribe } = hubOver(pieces);
    for await (const bytes of piecesOf(subscribe()))
      happened.push(`sent ${Buffer.from(bytes).toString().trim()}`);
    expect(happened).toEqual(['sent data: a', 'sent data: b', 'looked at a', 'looked at b', 'ended']);
  });

  it('is looked at first where something of it must be written down before anybody gets it', async () => {
    const { happened, subscribe } = hubOver([frame('a'), frame('last')], {
      mustBeSeen: (frame) => frame.read().data === 'last',
    });
    for await (const bytes of piecesOf(subscribe()))
      happened.push(`sent ${Buffer.from(bytes).toString().trim()}`);
    expect(happened.indexOf('looked at last')).toBeLessThan(happened.indexOf('sent data: last'));
    expect(happened.filter((what) => what.startsWith('looked'))).toEqual(['looked at a', 'looked at last']);
  });

  it('ends in an error, and not in a crash, when something in it cannot be looked at', async () => {
    const { happened, subscribe } = hubOver([frame('a')], {
      onFrame: () => {
        throw new Error('unreadable');
      },
    });
    const sent: string[] = [];
    for await (const bytes of piecesOf(subscribe())) sent.push(Buffer.from(bytes).toString().trim());
    expect(sent).toEqual(['data: a', 'The stream broke off.']);
    expect(happened).toEqual(['gave up', 'broke off: unreadable']);
  });

  it('makes its peer wait for a reader that is far behind, and no longer', async () => {
    const large = frame('x'.repeat(3 * 1024 * 1024));
    const { hub, happened, subscribe } = hubOver([large, large, large]);
    const sent: number[] = [];
    const slow = subscribe();
    slow.into({
      write(piece) {
        sent.push(piece.length);
        return false;
      },
      end: () => happened.push('reader is done'),
    });
    await expect.poll(() => hub.ended).toBe(true);
    expect(sent).toEqual([large.length]);
    expect(happened.filter((what) => !what.startsWith('looked'))).toEqual(['made to wait', 'ended']);
    slow.more();
    expect(happened.at(-1)).toBe('goes on');
    slow.more();
    slow.more();
    expect(sent).toHaveLength(3);
    expect(happened.at(-1)).toBe('reader is done');
  });

  it('is as large as its frames are many, however small: they take room besides their bytes', () => {
    const tiny = Buffer.from(':\n\n'.repeat(20_000));
    let take: Take = () => {};
    const hold = (given: Take) => {
      take = given;
    };
    const happened: string[] = [];
    const { subscribe } = hubOver([], {
      source: { ...sourceOf([], happened), follow: hold },
    });
    subscribe().into({ write: () => false, end: () => undefined });
    take(tiny);
    expect(happened).toEqual(['made to wait']);
  });

  it('keeps nothing from a reader, and sends one that missed too much elsewhere', () => {
    const large = frame('x'.repeat(1024 * 1024));
    let take: Take = () => {};
    const hold = (given: Take) => {
      take = given;
    };
    const { hub, subscribe } = hubOver([], {
      source: { ...sourceOf([], []), follow: hold },
    });
    const sent: number[] = [];
    const slow = subscribe();
    slow.into({ write: (piece) => sent.push(piece.length) < 0, end: () => undefined });
    for (let n = 0; n < 40; n += 1) take(large);
    while (sent.length < 40) slow.more();
    slow.leave();
    expect(hub.droppedAt('caller')).toBe(40);
    for (let n = 0; n < 40; n += 1) take(large);
    expect(hub.droppedAt('caller')).toBeUndefined();
  });

  it('tells its reader, and not the process, of a frame that cannot be translated', async () => {
    const { subscribe } = hubOver([frame('a')]);
    const read = async () => {
      const unreadable = subscribe(() => {
        throw new Error('not to be translated');
      });
      for await (const _ of piecesOf(unreadable));
    };
    await expect(read()).rejects.toThrow('not to be translated');
  });

  it('knows where a reader was that left, and gives up when nobody comes back', async () => {
    const { hub, happened, subscribe } = hubOver([frame('a'), frame('b')], {
      waitSeconds: 0.001,
      source: {
        ...sourceOf([], []),
        follow: (take) => take(frame('a')),
        destroy: () => happened.push('gave up'),
      },
    });
    const flow = subscribe();
    flow.into({ write: () => true, end: () => undefined });
    flow.leave();
    expect(hub.droppedAt('caller')).toBe(1);
    expect(happened).toEqual(['alone']);
    await expect.poll(() => happened).toContain('gave up');
  });
});
