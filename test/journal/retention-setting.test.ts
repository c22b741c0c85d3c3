import { expect, it, onTestFinished } from 'vitest';
import { openApp } from '../../src/app/compose.ts';
import { readSettings } from '../../src/app/settings.ts';
import { fakeClock } from '../../src/platform/testing.ts';
import { temporaryFolder } from '../../src/spine/journal/testing.ts';

it('a server drops the payloads of sessions that ended before the days it is told', async () => {
  const settings = readSettings({ BATON_DATA: await temporaryFolder(), BATON_RETENTION_DAYS: '1' });
  const clock = fakeClock();
  const app = await openApp(settings, { clock });
  onTestFinished(() => app.close());
  const sessionId = app.ids();
  const chain = { sessionId, kind: 'trace' as const };
  await app.db.write(async (uow) => {
    const opened = { sessionId, ledgerId: app.ids(), projectId: 'default', traceId: app.ids() };
    await app.journal.openChains(uow, opened);
    const goal = { agent_id: 'a', goal: 'g' };
    await app.journal.append(uow, { chain, type: 'session.started', payload: goal });
    const reason = { reason: 'completed', duration_ms: 1 };
    await app.journal.append(uow, { chain, type: 'session.ended', payload: reason });
  });
  const kept = async () => {
    await app.drain();
    // What the upkeep of one round finds to be dropped is a job of the next.
    await app.drain();
    const rows = await app.db.read((reader) =>
      reader.all<{ payload: string | null }>('select payload from events where chain_id = ?', [sessionId]),
    );
    return rows.filter(({ payload }) => payload !== null).length;
  };
  clock.advance({ seconds: 23 * 3600 });
  expect(await kept()).toBe(2);
  clock.advance({ seconds: 2 * 3600 });
  expect(await kept()).toBe(0);
});

it('keeps everything for good unless it is told', () => {
  expect(readSettings({}).retentionDays).toBeUndefined();
  expect(() => readSettings({ BATON_RETENTION_DAYS: 'soon' })).toThrow('BATON_RETENTION_DAYS');
  expect(readSettings({ BATON_RETENTION_DAYS: '30' }).retentionDays).toBe(30);
});
