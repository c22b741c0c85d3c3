import type { Gathering, Reader, UnitOfWork } from '../../../spine/storage/database.ts';

/**
 * How many packages that are no drafts each hour has, by the time that they say they were made: a start page counts
 * hours, not packages.
 */
const HOUR_MICROS = 3_600 * 1e6;

interface Change {
  readonly projectId: string;
  readonly hour: number;
  readonly packages: 1 | -1;
}

/** As SQL divides whole numbers. */
function hourOf(createdMicros: number): number {
  return Math.trunc(createdMicros / HOUR_MICROS);
}

const changes: Gathering<Change> = {
  async apply(uow, items) {
    const sums = new Map<string, { projectId: string; hour: number; packages: number }>();
    for (const { projectId, hour, packages } of items) {
      const key = JSON.stringify([projectId, hour]);
      sums.set(key, { projectId, hour, packages: (sums.get(key)?.packages ?? 0) + packages });
    }
    // In one order, so that units of other processes cannot deadlock with this one.
    for (const key of [...sums.keys()].sort()) await add(uow, sums.get(key) as Change);
  },
};

async function add(
  uow: UnitOfWork,
  { projectId, hour, packages }: { projectId: string; hour: number; packages: number },
): Promise<void> {
  const update = () =>
    uow.run('update package_hours set packages = packages + ? where project_id = ? and hour = ?', [
      packages,
      projectId,
      hour,
    ]);
  if (packages === 0 || (await update()) > 0) return;
  await uow.run(
    `insert into package_hours (project_id, hour, packages) values (?, ?, 0) on conflict (project_id, hour) do nothing`,
    [projectId, hour],
  );
  await update();
}

/** `packages`: 1 for one that is there now and counts, -1 for one that no longer does. */
export function countInHour(
  uow: UnitOfWork,
  stored: { readonly projectId: string; readonly createdMicros: number },
  packages: 1 | -1,
): void {
  uow.gather(changes, { projectId: stored.projectId, hour: hourOf(stored.createdMicros), packages });
}

/** Since an instant; the hour that it is in is counted package by package. */
export async function countPackages(reader: Reader, projectId: string, sinceMicros: number): Promise<number> {
  const next = hourOf(sinceMicros) + 1;
  const whole = await reader.get<{ n: number }>(
    'select coalesce(sum(packages), 0) as n from package_hours where project_id = ? and hour >= ?',
    [projectId, next],
  );
  const part = await reader.get<{ n: number }>(
    `select count(*) as n from packages
     where project_id = ? and created_us >= ? and created_us < ? and status <> 'draft'`,
    [projectId, sinceMicros, next * HOUR_MICROS],
  );
  return Number(whole?.n ?? 0) + (part?.n ?? 0);
}
