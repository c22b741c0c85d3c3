import { describe, expect, it } from 'vitest';
import { createStreamHub, type HubOptions } from './stream-hub.ts';

const frame = (text: string) => Buffer.from(`data: ${text}\n\n`);

function hubOver(pieces: readonly Uint8Array[], more: Partial<HubOptions> = {}) {
  const happened: string[] = [];
  const hub = createStreamHub({
    body: (async function* () {
      yield* pieces;
    })(),
    onFrame: ({ data }) => happened.push(`looked at ${data}`),
    onEnd: (error) => {
      happened.push(error === undefined ? 'ended' : `broke off: ${(error as Error).message}`);
      return error === undefined ? undefined : { code: -32011, message: 'The stream broke off.' };
    },
    onAlone: () => happened.push('alone'),
    giveUp: () => happened.push('gave up'),
    waitSeconds: 1,
    ...more,
  });
  const subscribed = hub.subscribe({
    caller: 'caller',
    from: 0,
    encode: ({ bytes }) => bytes,
    encodeError: ({ message }) => Buffer.from(message),
  });
  return { happened, subscribed };
}

describe('a stream that several callers may follow', () => {
  it.each([
    ['piece by piece', [frame('a'), frame('b')]],
    ['at once', [Buffer.concat([frame('a'), frame('b')])]],
  ])('is passed on before anything is made of it, when it comes %s', async (_, pieces) => {
    const { happened, subscribed } = hubOver(pieces);
    for await (const bytes of subscribed) happened.push(`sent ${Buffer.from(bytes).toString().trim()}`);
    expect(happened).toEqual(['sent data: a', 'sent data: b', 'looked at a', 'looked at b', 'ended']);
  });

  it('ends in an error, and not in a crash, when something in it cannot be looked at', async () => {
    const { happened, subscribed } = hubOver([frame('a')], {
      onFrame: () => {
        throw new Error('unreadable');
      },
    });
    const sent: string[] = [];
    for await (const bytes of subscribed) sent.push(Buffer.from(bytes).toString().trim());
    expect(sent).toEqual(['data: a', 'The stream broke off.']);
    expect(happened).toEqual(['gave up', 'broke off: unreadable']);
  });
});
