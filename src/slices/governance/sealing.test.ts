import { expect, it } from 'vitest';
import { payloadCodec } from '../../spine/journal/events/payload-codec.ts';
import { describeOnEachEngine } from '../../spine/storage/testing.ts';
import { actionOf } from './testing/manifest.ts';
import { ALLOW, itemWorlds } from './testing/world.ts';

const KEY = new Uint8Array(32).fill(7);
const COLUMNS = [
  ['governance_resolutions', 'body'],
  ['governance_inputs', 'line'],
  ['governance_calls', 'line'],
  ['governance_executions', 'parameters'],
  ['governance_executions', 'response'],
] as const;

describeOnEachEngine('with a payload key', (open) => {
  const world = itemWorlds(open);
  const opened = () =>
    world(
      [ALLOW],
      {
        actions: [
          actionOf('item.tell', { executor: 'tell' }),
          actionOf('item.wait', { executor: 'wait', idempotent: true }),
        ],
      },
      {},
      payloadCodec([KEY]),
    );

  it('keeps nothing of requests, parameters and results in the clear, and all of it is found again', async () => {
    const w = await opened();
    w.executors.register('tell', async (call) => ({ told: call.parameters.word }));
    const asked: unknown[] = [];
    w.executors.register('wait', async (call) => {
      asked.push(call.parameters.word);
      return asked.length === 1 ? new Promise<never>(() => undefined) : {};
    });
    const session = await w.start();
    const request = { context: { region: 'quuxland' }, task: { goal: 'Find the quuxbird' } };
    const { resolution_id } = (await w.resolve(session, request)).body;
    expect((await w.resolve(session, request)).body.resolution_id).toBe(resolution_id);
    const parameters = { word: 'quuxword' };
    const tell = () =>
      w.execute(session, { resolution_id, action_id: 'item.tell', parameters, idempotency_key: 'k' });
    expect((await tell()).body.result).toEqual({ told: 'quuxword' });
    void w.execute(session, { resolution_id, action_id: 'item.wait', parameters });
    while (asked.length === 0) await new Promise((done) => setTimeout(done, 5));

    for (const [table, column] of COLUMNS) {
      const rows = await w.db.read((reader) =>
        reader.all<{ text: string }>(`select ${column} as text from ${table} where ${column} is not null`),
      );
      expect([table, column, rows.length > 0]).toEqual([table, column, true]);
      expect(rows.filter(({ text }) => !text.startsWith('sealed:') || text.includes('quux'))).toEqual([]);
    }

    expect((await tell()).body.result).toEqual({ told: 'quuxword' });
    w.clock.advance({ seconds: 61 });
    expect(await w.governance.recover()).toBe(1);
    expect(asked).toEqual(['quuxword', 'quuxword']);
    const { items } = (await w.send('GET', `/v1/traces/${session}/inputs`)).body;
    expect(items[0]).toMatchObject({ goal: 'Find the quuxbird', context: { region: 'quuxland' } });
  });
});
