import { expect, it } from 'vitest';
import { describeOnEachEngineEvenBare } from '../storage/testing.ts';
import { jobErrors } from './errors.ts';
import type { JobHandler, JobOutcome } from './handler.ts';
import { jobMigrations } from './migrations.ts';
import { testJobs } from './testing.ts';

interface Recorder {
  readonly handler: JobHandler;
  readonly ran: string[];
  readonly outcomes: JobOutcome[];
}

function recording(
  run: (key: string, signal: AbortSignal) => Promise<unknown>,
  idempotent = false,
): Recorder {
  const ran: string[] = [];
  const outcomes: JobOutcome[] = [];
  return {
    ran,
    outcomes,
    handler: {
      idempotent,
      run(job, signal) {
        ran.push(job.key);
        return run(job.key, signal);
      },
      async recorded(uow, _job, outcome) {
        uow.afterCommit(() => outcomes.push(outcome));
      },
    },
  };
}

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describeOnEachEngineEvenBare('jobs', (open) => {
  const rig = async () => testJobs(await open(jobMigrations));

  it('are run once, in the order they are due, and record their outcome', async () => {
    const jobs = await rig();
    const work = recording(async (key) => `did ${key}`);
    const { jobId } = await jobs.enqueue({ kind: 'send', key: 'a', payload: { id: 'x1' } });
    await jobs.enqueue({ kind: 'send', key: 'b' });
    const worker = jobs.worker({ send: work.handler }, { concurrency: 1 });
    expect(await worker.drain()).toEqual({ attempts: 2 });
    expect(await worker.drain()).toEqual({ attempts: 0 });
    expect(work.ran).toEqual(['a', 'b']);
    expect(work.outcomes).toEqual([
      { state: 'done', result: 'did a' },
      { state: 'done', result: 'did b' },
    ]);
    expect(await jobs.job(jobId)).toMatchObject({
      state: 'done',
      attempts: 1,
      payload: { id: 'x1' },
      leaseOwner: null,
    });
  });

  it('are one and the same while unfinished, and anew once finished', async () => {
    const jobs = await rig();
    const made = await Promise.all(
      Array.from({ length: 10 }, () => jobs.enqueue({ kind: 'send', key: 'a' })),
    );
    expect(made.filter(({ created }) => created).length).toBe(1);
    expect(new Set(made.map(({ jobId }) => jobId)).size).toBe(1);
    const work = recording(async () => {});
    const worker = jobs.worker({ send: work.handler });
    await worker.drain();
    expect(work.ran).toEqual(['a']);
    expect((await jobs.enqueue({ kind: 'send', key: 'a' })).created).toBe(true);
    expect((await jobs.enqueue({ kind: 'other', key: 'a' })).created).toBe(true);
  });

  it('vanish with the unit that queued them', async () => {
    const jobs = await rig();
    const failing = jobs.db.write(async (uow) => {
      await jobs.queue.enqueue(uow, { kind: 'send', key: 'a' });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    const work = recording(async () => {});
    expect(await jobs.worker({ send: work.handler }).drain()).toEqual({ attempts: 0 });
  });

  it('wait until they are due, and until a worker that knows their kind comes', async () => {
    const jobs = await rig();
    const work = recording(async () => {});
    const worker = jobs.worker({ send: work.handler });
    await jobs.enqueue({ kind: 'send', key: 'a', due: jobs.clock.now() + 5_000_000 });
    await jobs.enqueue({ kind: 'unheard', key: 'b' });
    expect(await worker.drain()).toEqual({ attempts: 0 });
    jobs.clock.advance({ seconds: 5 });
    expect(await worker.drain()).toEqual({ attempts: 1 });
    expect(await jobs.worker({}).drain()).toEqual({ attempts: 0 });
  });

  it('are tried again after longer and longer waits, and fail for good after the last attempt', async () => {
    const jobs = await rig();
    const work = recording(async () => {
      throw new Error('no route');
    });
    const { jobId } = await jobs.enqueue({ kind: 'send', key: 'a', maxAttempts: 3 });
    const worker = jobs.worker({ send: work.handler });
    const waits: number[] = [];
    for (let attempt = 1; attempt < 3; attempt += 1) {
      await worker.drain();
      const job = await jobs.job(jobId);
      expect(job).toMatchObject({ state: 'queued', attempts: attempt, lastError: 'Error' });
      waits.push((job?.due ?? 0) - jobs.clock.now());
      expect(await worker.drain()).toEqual({ attempts: 0 });
      jobs.clock.set(job?.due ?? 0);
    }
    expect(waits[0]).toBeGreaterThan(0);
    expect(waits[1]).toBeGreaterThan(waits[0] as number);
    await worker.drain();
    expect(await jobs.job(jobId)).toMatchObject({ state: 'failed', attempts: 3 });
    expect(work.outcomes).toEqual([{ state: 'failed', error: 'Error' }]);
  });

  it('fail at once when the work says that it can never succeed, and say why by code', async () => {
    const jobs = await rig();
    const work = recording(async () => {
      throw jobErrors.job_given_up({ cause: new TypeError('told too much') });
    });
    const { jobId } = await jobs.enqueue({ kind: 'send', key: 'a' });
    await jobs.worker({ send: work.handler }).drain();
    expect(await jobs.job(jobId)).toMatchObject({ state: 'failed', attempts: 1, lastError: 'TypeError' });
  });

  it('keep an unknown outcome unknown until someone sends them round again', async () => {
    const jobs = await rig();
    let known = false;
    const work = recording(async () => {
      if (!known) throw jobErrors.outcome_unknown();
    });
    const { jobId } = await jobs.enqueue({ kind: 'send', key: 'a' });
    const worker = jobs.worker({ send: work.handler });
    await worker.drain();
    expect(await jobs.job(jobId)).toMatchObject({ state: 'outcome_unknown' });
    expect((await jobs.enqueue({ kind: 'send', key: 'a' })).created).toBe(false);
    jobs.clock.advance({ seconds: 7200 });
    expect(await worker.drain()).toEqual({ attempts: 0 });
    known = true;
    expect(await jobs.db.write((uow) => jobs.queue.retryUnknown(uow, jobId))).toBe(true);
    expect(await worker.drain()).toEqual({ attempts: 1 });
    expect(work.outcomes.map(({ state }) => state)).toEqual(['outcome_unknown', 'done']);
  });

  it('can be taken back until they have begun', async () => {
    const jobs = await rig();
    const { jobId } = await jobs.enqueue({ kind: 'send', key: 'a' });
    const cancel = () => jobs.db.write((uow) => jobs.queue.cancel(uow, 'send', 'a'));
    expect(await cancel()).toBe(true);
    expect(await cancel()).toBe(false);
    expect(await jobs.job(jobId)).toMatchObject({ state: 'failed', lastError: 'cancelled' });
    const begun = gate();
    const done = gate();
    const work = recording(async () => {
      begun.open();
      await done.opened;
    });
    await jobs.enqueue({ kind: 'send', key: 'a' });
    const draining = jobs.worker({ send: work.handler }).drain();
    await begun.opened;
    expect(await cancel()).toBe(false);
    done.open();
    await draining;
  });

  it('are never run by two workers at once, however many there are', async () => {
    const jobs = await rig();
    const beside = testJobs(await open(jobMigrations, { beside: jobs.db }), 2, jobs.clock);
    const running = new Set<string>();
    const ran: string[] = [];
    const handler: JobHandler = {
      idempotent: true,
      async run(job) {
        expect(running.has(job.key)).toBe(false);
        running.add(job.key);
        await new Promise((resolve) => setImmediate(resolve));
        running.delete(job.key);
        ran.push(job.key);
      },
    };
    for (let n = 0; n < 30; n += 1) await jobs.enqueue({ kind: 'send', key: `k${n}` });
    const workers = [jobs, jobs, beside, beside].map((each) => each.worker({ send: handler }));
    await Promise.all(workers.map((worker) => worker.drain()));
    expect(ran.length).toBe(30);
    expect(new Set(ran).size).toBe(30);
  });

  it('whose worker is lost become unknown, unless they may simply be done again', async () => {
    const jobs = await rig();
    const never = gate();
    const lost = { idempotent: false, run: () => never.opened };
    const once = await jobs.enqueue({ kind: 'once', key: 'a' });
    const again = await jobs.enqueue({ kind: 'again', key: 'a' });
    const draining = jobs
      .worker({ once: lost, again: { ...lost, idempotent: true } }, { leaseSeconds: 1000 })
      .drain();
    await expect.poll(async () => (await jobs.job(again.jobId))?.state).toBe('running');
    await expect.poll(async () => (await jobs.job(once.jobId))?.state).toBe('running');
    jobs.clock.advance({ seconds: 1001 });

    const [one, two] = [recording(async () => {}), recording(async () => {}, true)];
    const successor = jobs.worker({ once: one.handler, again: two.handler });
    await successor.drain();
    expect(await jobs.job(once.jobId)).toMatchObject({ state: 'outcome_unknown', attempts: 1 });
    expect(one.outcomes).toEqual([{ state: 'outcome_unknown' }]);
    expect(await jobs.job(again.jobId)).toMatchObject({ state: 'queued', lastError: 'lease_expired' });
    jobs.clock.advance({ seconds: 10 });
    await successor.drain();
    expect(one.ran).toEqual([]);
    expect(two.ran).toEqual(['a']);
    expect(await jobs.job(again.jobId)).toMatchObject({ state: 'done', attempts: 2 });
    never.open();
    await draining;
  });

  it('ignore the outcome of a worker whose job was claimed anew', async () => {
    const jobs = await rig();
    const held = gate();
    const slow = recording(async () => held.opened, true);
    const { jobId } = await jobs.enqueue({ kind: 'send', key: 'a' });
    const first = jobs.worker({ send: slow.handler }, { leaseSeconds: 1000 }).drain();
    await expect.poll(async () => (await jobs.job(jobId))?.state).toBe('running');
    jobs.clock.advance({ seconds: 1001 });
    const second = recording(async () => {
      throw new Error('not this time');
    }, true);
    const successor = jobs.worker({ send: second.handler });
    await successor.drain();
    jobs.clock.advance({ seconds: 10 });
    await successor.drain();
    expect(second.ran).toEqual(['a']);
    held.open();
    await first;
    expect(slow.outcomes).toEqual([]);
    expect(await jobs.job(jobId)).toMatchObject({ state: 'queued', attempts: 2 });
  });

  it('take the late truth of a worker that was given up, when nobody has begun anew', async () => {
    const jobs = await rig();
    const held = gate();
    const slow = recording(async () => held.opened);
    const { jobId } = await jobs.enqueue({ kind: 'send', key: 'a' });
    const first = jobs.worker({ send: slow.handler }, { leaseSeconds: 1000 }).drain();
    await expect.poll(async () => (await jobs.job(jobId))?.state).toBe('running');
    jobs.clock.advance({ seconds: 1001 });
    await jobs.worker({ send: recording(async () => {}).handler }).drain();
    expect(await jobs.job(jobId)).toMatchObject({ state: 'outcome_unknown' });
    held.open();
    await first;
    expect(await jobs.job(jobId)).toMatchObject({ state: 'done' });
  });

  it('keep their lease while the work goes on, and tell the work when it is lost', async () => {
    const jobs = await rig();
    let told = false;
    const held = gate();
    const work = recording(async (_key, signal) => {
      signal.addEventListener('abort', () => {
        told = true;
        held.open();
      });
      await held.opened;
    }, true);
    const { jobId } = await jobs.enqueue({ kind: 'send', key: 'a' });
    const draining = jobs.worker({ send: work.handler }, { leaseSeconds: 0.15 }).drain();
    await expect.poll(async () => (await jobs.job(jobId))?.state).toBe('running');
    const until = (await jobs.job(jobId))?.leaseUntil ?? 0;
    jobs.clock.advance({ millis: 100 });
    await expect.poll(async () => (await jobs.job(jobId))?.leaseUntil ?? 0).toBeGreaterThan(until);
    await jobs.db.write((uow) => uow.run('update jobs set fence = fence + 1'));
    await draining;
    expect(told).toBe(true);
  });

  it('are picked up by a worker that waits, and let it end when told', async () => {
    const jobs = await rig();
    const done = gate();
    const work = recording(async (key) => {
      if (key === 'b') done.open();
    });
    const stop = new AbortController();
    const running = jobs.worker({ send: work.handler }).run(stop.signal);
    await jobs.enqueue({ kind: 'send', key: 'a' });
    await jobs.enqueue({ kind: 'send', key: 'b' });
    await done.opened;
    stop.abort();
    await running;
    expect([...work.ran].sort()).toEqual(['a', 'b']);
    expect(work.outcomes.length).toBe(2);
  });

  it('are forgotten when they have been finished for long', async () => {
    const jobs = await rig();
    await jobs.enqueue({ kind: 'send', key: 'a' });
    await jobs.enqueue({ kind: 'other', key: 'b' });
    await jobs.worker({ send: recording(async () => {}).handler }).drain();
    jobs.clock.advance({ seconds: 60 });
    expect(await jobs.db.write((uow) => jobs.queue.forgetFinished(uow, jobs.clock.now()))).toBe(1);
  });
});
