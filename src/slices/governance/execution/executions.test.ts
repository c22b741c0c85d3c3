import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import { actionOf } from '../testing/manifest.ts';
import { ALLOW, itemWorlds, typesOf } from '../testing/world.ts';

describeOnEachEngine('executions', (open) => {
  const world = itemWorlds(open);

  it('answers the same idempotency key with the first answer, and refuses it for other parameters', async () => {
    let calls = 0;
    const w = await world([ALLOW], { actions: [actionOf('item.count', { executor: 'counter' })] });
    w.executors.register('counter', async () => ({ calls: ++calls }));
    const session = await w.start();
    const { body } = await w.resolve(session);
    const run = (parameters: object, key = 'k1') =>
      w.execute(session, {
        resolution_id: body.resolution_id,
        action_id: 'item.count',
        parameters,
        idempotency_key: key,
      });
    const first = await run({ a: 1 });
    const again = await run({ a: 1 });
    expect(again.body).toEqual(first.body);
    expect(await run({ a: 2 })).toMatchObject({
      status: 409,
      body: { error: { code: 'IDEMPOTENCY_CONFLICT' } },
    });
    expect((await run({ a: 1 }, 'k2')).body.result).toEqual({ calls: 2 });
    expect(calls).toBe(2);
  });

  it('fails an action that has no executor, or whose executor is too slow', async () => {
    const w = await world([ALLOW], {
      actions: [
        actionOf('item.none', { executor: 'nowhere' }),
        actionOf('item.slow', { executor: 'slow', timeout_seconds: 1 }),
      ],
    });
    w.executors.register('slow', () => new Promise(() => undefined));
    const session = await w.start();
    const { body } = await w.resolve(session);
    const run = (id: string) => w.execute(session, { resolution_id: body.resolution_id, action_id: id });
    expect((await run('item.none')).body).toMatchObject({
      status: 'error',
      error: { code: 'EXECUTOR_NOT_FOUND' },
    });
    expect((await run('item.slow')).body).toMatchObject({
      status: 'error',
      error: { code: 'EXECUTION_TIMEOUT' },
    });
    expect(typesOf(await w.trace(session)).filter((type) => type === 'action.failed').length).toBe(2);
  });

  it('closes what a dead process left running: again where that is safe, as unknown where not', async () => {
    let calls = 0;
    const w = await world([ALLOW], {
      actions: [
        actionOf('item.safe', { executor: 'hang', idempotent: true }),
        actionOf('item.risky', { executor: 'hang' }),
      ],
    });
    const hanging = () => new Promise<never>(() => undefined);
    w.executors.register('hang', async () => {
      calls += 1;
      return calls > 2 ? { calls } : hanging();
    });
    const session = await w.start();
    const { body } = await w.resolve(session);
    for (const [at, id] of ['item.safe', 'item.risky'].entries()) {
      void w.execute(session, { resolution_id: body.resolution_id, action_id: id });
      while (calls <= at) await new Promise((done) => setTimeout(done, 5));
    }
    expect(await w.governance.recover()).toBe(0);
    w.clock.advance({ seconds: 61 });
    expect(await w.governance.recover()).toBe(2);
    const ends = (await w.trace(session)).filter(({ event_type }) => /executed|failed/.test(event_type));
    expect(
      ends.map(({ event_type, payload }) => [event_type, payload.action_id, payload.error_code]),
    ).toEqual([
      ['action.executed', 'item.safe', undefined],
      ['action.failed', 'item.risky', 'OUTCOME_UNKNOWN'],
    ]);
  });
});
