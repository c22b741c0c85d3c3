import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import { ALLOW, itemWorlds, typesOf } from '../testing/world.ts';

describeOnEachEngine('what a session leaves', (open) => {
  const world = itemWorlds(open);

  it('hands out context in order, takes secrets out, and records what the agent was given', async () => {
    const files = { 'context/low.md': 'low sk-123', 'context/high.md': 'high' };
    const w = await world(
      [ALLOW],
      {
        context_packs: [
          { pack_id: 'low', name: 'l', priority: 1, files: ['context/low.md'] },
          { pack_id: 'high', name: 'h', priority: 9, files: ['context/high.md'] },
        ],
        metadata: { context_files: files },
      },
      { redact: (text: string) => text.replace(/sk-\w+/g, '[secret]') },
    );
    const session = await w.start();
    const { body } = await w.resolve(session);
    expect(
      body.context_blocks.map((each: { block_id: string; content: string }) => [each.block_id, each.content]),
    ).toEqual([
      ['high', 'high'],
      ['low', 'low [secret]'],
    ]);
    const events = await w.trace(session);
    expect(typesOf(events).slice(-4)).toEqual([
      'context.injected',
      'context.injected',
      'context.redacted',
      'carp.resolution.completed',
    ]);
    expect((await w.send('POST', `/v1/traces/${session}/replay`)).body.deterministic).toBe(true);
  });

  it('gives the trace as an array, in an envelope, in lines, and live from any place', async () => {
    const w = await world();
    const session = await w.start();
    await w.resolve(session);
    const all = await w.trace(session);
    const lines = await w.send('GET', `/v1/traces/${session}`, undefined, {
      headers: { accept: 'application/vnd.cra.trace+jsonl' },
    });
    expect(lines.headers.get('content-type')).toBe('application/vnd.cra.trace+jsonl');
    expect(
      lines.body
        .trimEnd()
        .split('\n')
        .map((line: string) => JSON.parse(line)),
    ).toEqual(all);
    const part = await w.send(
      'GET',
      `/v1/traces/${session}?envelope=1&since_sequence=1&limit=1&event_type=policy.evaluated`,
    );
    expect(part.body).toEqual({
      session_id: session,
      total: all.length,
      last_sequence: all.length - 1,
      events: [all[2]],
    });
    expect((await w.send('GET', `/v1/traces/${session}/events?limit=2`)).body).toMatchObject({
      total: all.length,
      events: all.slice(0, 2),
    });
    const seen: string[] = [];
    const reading = (async () => {
      const stream = await w.app.request(
        `http://localhost/v1/traces/stream?session_id=${session}&since_sequence=2`,
        {
          headers: { host: 'localhost', authorization: 'Bearer bot' },
        },
      );
      const decoder = new TextDecoder();
      for await (const piece of stream.body as unknown as AsyncIterable<Uint8Array>) {
        for (const match of decoder.decode(piece).matchAll(/^data: (.*)$/gm))
          seen.push(JSON.parse(match[1]!).sequence);
      }
    })();
    await w.resolve(session, { task: { goal: 'More' } });
    await w.send('DELETE', `/v1/sessions/${session}`);
    await reading;
    const total = (await w.trace(session)).length;
    expect(seen).toEqual(Array.from({ length: total - 3 }, (_, at) => at + 3));
  });
});
