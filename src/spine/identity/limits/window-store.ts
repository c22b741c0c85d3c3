import type { Micros } from '../../../kernel/clock.ts';
import type { UnitOfWork } from '../../storage/database.ts';

export interface Window {
  readonly key: string;
  readonly length: Micros;
  readonly start: Micros;
}

export async function selectUsed(uow: UnitOfWork, window: Window): Promise<number> {
  const row = await uow.get<{ used: number }>(
    'select used from rate_windows where limit_key = ? and window_us = ? and start_us = ?',
    [window.key, window.length, window.start],
  );
  return row?.used ?? 0;
}

export async function addUsed(uow: UnitOfWork, window: Window, tokens: number): Promise<void> {
  await uow.run(
    `insert into rate_windows (limit_key, window_us, start_us, used, ends_us) values (?, ?, ?, ?, ?)
     on conflict (limit_key, window_us, start_us) do update set used = rate_windows.used + excluded.used`,
    [window.key, window.length, window.start, tokens, window.start + window.length],
  );
}

export async function deleteEndedWindows(uow: UnitOfWork, before: Micros): Promise<void> {
  await uow.run('delete from rate_windows where ends_us < ?', [before]);
}
