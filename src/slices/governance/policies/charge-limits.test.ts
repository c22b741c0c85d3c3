import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import { actionOf } from '../testing/manifest.ts';
import { ALLOW, itemWorlds } from '../testing/world.ts';

describeOnEachEngine('limits on calls', (open) => {
  const world = itemWorlds(open);

  it('counts calls over a sliding window, shows what is left, and says when to come back', async () => {
    const w = await world([
      ALLOW,
      {
        policy_id: 'slow',
        type: 'rate_limit',
        actions: ['item.drop'],
        parameters: { max_calls: 2, window_seconds: 60 },
      },
    ]);
    const session = await w.start();
    const { body } = await w.resolve(session);
    expect(body.allowed_actions[1].rate_limit).toEqual({ max_calls: 2, window_seconds: 60 });
    expect(body.constraints).toMatchObject([
      { constraint_id: 'slow', type: 'rate_limit', parameters: { remaining: 2 } },
    ]);
    const run = () => w.execute(session, { resolution_id: body.resolution_id, action_id: 'item.drop' });
    expect((await run()).status).toBe(200);
    w.clock.advance({ seconds: 20 });
    expect((await run()).status).toBe(200);
    const over = await run();
    expect(over).toMatchObject({
      status: 429,
      body: {
        status: 'denied',
        error: { code: 'RATE_LIMIT_EXCEEDED', details: { reason: 'rate_limit_exceeded', policy_id: 'slow' } },
      },
    });
    expect(over.headers.get('retry-after')).toBe('40');
    expect((await w.resolve(session)).body.constraints[0].parameters.remaining).toBe(0);
    w.clock.advance({ seconds: 40 });
    expect((await run()).status).toBe(200);
    expect((await run()).status).toBe(429);
  });

  it('lets no more calls through than allowed when they come at once', async () => {
    const w = await world([
      ALLOW,
      { policy_id: 'b', type: 'budget', parameters: { limit: 3, unit: 'call' } },
    ]);
    const session = await w.start();
    const { body } = await w.resolve(session);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        w.execute(session, {
          resolution_id: body.resolution_id,
          action_id: n % 2 ? 'item.drop' : 'item.get',
          parameters: n % 2 ? {} : { id: 'a' },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBe(3);
    expect(answers.filter(({ status }) => status === 403).length).toBe(5);
    expect((await w.send('POST', `/v1/traces/${session}/verify`)).body.valid).toBe(true);
  });

  it('gives back what a failed call cost where the policy says so', async () => {
    const w = await world(
      [ALLOW, { policy_id: 'b', type: 'budget', parameters: { limit: 1, refundable: true } }],
      {
        actions: [actionOf('item.fail', { executor: 'broken' })],
      },
    );
    w.executors.register('broken', async () => {
      throw new Error('out of order');
    });
    const session = await w.start();
    const { body } = await w.resolve(session);
    for (const _ of [1, 2]) {
      const answer = await w.execute(session, { resolution_id: body.resolution_id, action_id: 'item.fail' });
      expect(answer.body).toMatchObject({
        status: 'error',
        error: { code: 'EXECUTION_ERROR', message: 'out of order' },
      });
    }
  });
});
