import { beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/index.ts';
import { fakeClock } from '../../src/platform/testing.ts';
import type { Job } from '../../src/spine/jobs/job.ts';
import { jobMigrations } from '../../src/spine/jobs/migrations.ts';
import { testJobs } from '../../src/spine/jobs/testing.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { bundleForNode } from '../setup/bundle.ts';
import { startChild } from './children.ts';

describeOnEachEngine('jobs under kill -9', (open) => {
  let bundle = '';
  beforeAll(async () => {
    bundle = await bundleForNode('test/journal/job-child.ts');
  });

  it('of a killed worker are unknown, or done again where that is harmless; none is begun while it is held', async () => {
    const clock = fakeClock(systemClock.now());
    const jobs = testJobs(await open(jobMigrations), 1, clock);
    const once = await jobs.enqueue({ kind: 'once', key: 'a' });
    const again = await jobs.enqueue({ kind: 'again', key: 'b' });
    const child = startChild(bundle, open.urlOf(jobs.db));
    await child.printed(2);
    expect([...child.lines].sort()).toEqual(['again b', 'once a']);

    const ran: string[] = [];
    const run = async (job: Job) => void ran.push(job.key);
    const successor = jobs.worker({ once: { idempotent: false, run }, again: { idempotent: true, run } });
    clock.set(systemClock.now());
    expect(await successor.drain()).toEqual({ attempts: 0 });
    expect((await jobs.job(once.jobId))?.state).toBe('running');

    await child.kill();
    clock.set(systemClock.now() + 11_000_000);
    await successor.drain();
    clock.advance({ seconds: 5 });
    await successor.drain();
    expect(ran).toEqual(['b']);
    expect(await jobs.job(once.jobId)).toMatchObject({ state: 'outcome_unknown', attempts: 1 });
    expect(await jobs.job(again.jobId)).toMatchObject({ state: 'done', attempts: 2 });
  });
});
