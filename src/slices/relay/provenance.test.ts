import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../spine/storage/testing.ts';
import { relayMigrations } from './migrations.ts';
import { relayProvenance } from './provenance.ts';

const SPAN = 'a1b2c3d4e5f60718';

describeOnEachEngine('the provenance of spans and tasks', (open) => {
  async function store() {
    const db = await open(relayMigrations);
    await db.write(async (uow) => {
      await uow.run(
        "insert into relay_origins (origin_id, resource, scope, service_name) values ('o', '{}', '{}', 's')",
      );
      await uow.run(
        `insert into relay_spans (project_id, trace_id, span_id, parent_span_id, origin_id, name, start_us, end_us,
           status, session_id, body, stored_us) values ('p1', 't', ?, '00000000000000aa', 'o', 'n', 1, 2, 0, 's1', '{}', 3)`,
        [SPAN],
      );
      await uow.run(
        `insert into relay_tasks (project_id, task_id, peer_id, state, trace_id, span_id, caller, opened_us, updated_us)
         values ('p1', 'task-1', 'peer-1', 'working', 't', ?, 'bot', 1, 1)`,
        [SPAN],
      );
    });
    return db;
  }

  it('leads from a task to its span, and on to the span above and the session', async () => {
    const db = await store();
    const of = (kind: string, id: string) =>
      db.read(async (reader) => relayProvenance.sources?.(reader, 'p1', { kind, id }) ?? []);
    expect(await of('task', 'task-1')).toEqual([
      { as: 'span', kind: 'span', id: SPAN },
      { as: 'peer', kind: 'peer', id: 'peer-1' },
    ]);
    expect(await of('span', SPAN)).toEqual([
      { as: 'parent', kind: 'span', id: '00000000000000aa' },
      { as: 'session', kind: 'session', id: 's1' },
    ]);
    expect(await of('package', 'task-1')).toEqual([]);
  });

  it('finds them by id, in projects that may be seen only', async () => {
    const db = await store();
    const find = (projects: 'all' | string[], id: string) =>
      db.read(async (reader) => relayProvenance.find?.(reader, projects, id));
    expect(await find('all', SPAN)).toEqual({ kind: 'span', id: SPAN, projectId: 'p1' });
    expect(await find(['p1'], 'task-1')).toEqual({ kind: 'task', id: 'task-1', projectId: 'p1' });
    expect(await find(['p2'], SPAN)).toBeUndefined();
    expect(await find([], SPAN)).toBeUndefined();
  });
});
