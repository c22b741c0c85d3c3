import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../storage/testing.ts';
import { openIdentity, ownerActor, testPrincipal } from '../testing.ts';
import { isProjectId } from './project.ts';

describeOnEachEngine('projects', (open) => {
  it('are made once, also when many ask at once, with one event', async () => {
    const room = await openIdentity(open);
    const ensure = () =>
      room.db.write((uow) =>
        room.identity.ensureProject(
          uow,
          { projectId: 'p', settings: '{"a":1.0}', extra: '{"owner_id":7}' },
          ownerActor,
        ),
      );
    const answers = await Promise.all(Array.from({ length: 8 }, ensure));
    expect(answers.filter((answer) => answer.created)).toHaveLength(1);
    const project = await room.db.read((reader) => room.identity.getProject(reader, testPrincipal(), 'p'));
    expect(project).toEqual({
      projectId: 'p',
      name: 'p',
      description: null,
      createdAt: '2026-01-01T00:00:00.000000Z',
      createdMicros: room.clock.now(),
      archivedAt: null,
      settings: '{"a":1.0}',
      extra: '{"owner_id":7}',
    });
    const created = (await room.events()).filter(
      (event) => event.type === 'project.created' && event.projectId === 'p',
    );
    expect(created).toHaveLength(1);
    expect(created[0]?.payload).toEqual({ project_id: 'p' });
  });

  it('of others look like projects that do not exist', async () => {
    const room = await openIdentity(open);
    await room.db.write((uow) => room.identity.ensureProject(uow, { projectId: 'theirs' }, ownerActor));
    const mine = testPrincipal({ projects: ['default'] });
    const get = (id: string) => room.db.read((reader) => room.identity.getProject(reader, mine, id));
    const foreign = await get('theirs').catch((error: Error) => error);
    const missing = await get('nowhere').catch((error: Error) => error);
    expect(foreign).toMatchObject({ code: 'project_not_found', status: 404 });
    expect({ ...(foreign as Error), stack: '' }).toEqual({ ...(missing as Error), stack: '' });
    expect((foreign as Error).message).toBe((missing as Error).message);
    expect((await get('default')).projectId).toBe('default');
  });

  it('are archived and restored any number of times, each change once in the journal', async () => {
    const room = await openIdentity(open);
    const change = (archive: boolean) =>
      room.db.write((uow) =>
        archive
          ? room.identity.archiveProject(uow, 'default', ownerActor)
          : room.identity.restoreProject(uow, 'default', ownerActor),
      );
    room.clock.set('2026-02-01T00:00:00Z');
    expect((await change(true)).archivedAt).toBe('2026-02-01T00:00:00.000000Z');
    room.clock.advance({ seconds: 5 });
    expect((await change(true)).archivedAt).toBe('2026-02-01T00:00:00.000000Z');
    expect((await change(false)).archivedAt).toBeNull();
    expect((await change(false)).archivedAt).toBeNull();
    const types = (await room.events())
      .map((event) => event.type)
      .filter((type) => /archived|restored/.test(type));
    expect(types).toEqual(['project.archived', 'project.restored']);
    await expect(
      room.db.write((uow) => room.identity.archiveProject(uow, 'nowhere', ownerActor)),
    ).rejects.toMatchObject({ code: 'project_not_found' });
  });

  it('are changed field by field, and the journal names the fields', async () => {
    const room = await openIdentity(open);
    const change = (changes: Parameters<typeof room.identity.changeProject>[2]) =>
      room.db.write((uow) => room.identity.changeProject(uow, 'default', changes, ownerActor));
    expect(await change({ name: 'Main', description: 'all of it' })).toMatchObject({
      name: 'Main',
      description: 'all of it',
    });
    expect(await change({ description: null })).toMatchObject({ name: 'Main', description: null });
    await change({ name: 'Main' });
    const changed = (await room.events()).filter((event) => event.type === 'project.changed');
    expect(changed.map((event) => event.payload.fields)).toEqual([['name', 'description'], ['description']]);
  });

  it('are listed in pages of what one may see', async () => {
    const room = await openIdentity(open);
    await room.db.write(async (uow) => {
      for (const projectId of ['b', 'a', 'c']) {
        room.clock.advance({ seconds: 1 });
        await room.identity.ensureProject(uow, { projectId }, ownerActor);
      }
      await room.identity.archiveProject(uow, 'a', ownerActor);
    });
    const list = (
      projects: 'all' | string[],
      page: { archived: boolean; limit: number; after?: { createdMicros: number; projectId: string } },
    ) => room.db.read((reader) => room.identity.listProjects(reader, testPrincipal({ projects }), page));
    const ids = async (...args: Parameters<typeof list>) => (await list(...args)).map((p) => p.projectId);
    expect(await ids('all', { archived: true, limit: 10 })).toEqual(['default', 'b', 'a', 'c']);
    expect(await ids('all', { archived: false, limit: 10 })).toEqual(['default', 'b', 'c']);
    expect(await ids(['c', 'a', 'x'], { archived: true, limit: 10 })).toEqual(['a', 'c']);
    expect(await ids([], { archived: true, limit: 10 })).toEqual([]);
    const first = await list('all', { archived: true, limit: 2 });
    expect(await ids('all', { archived: true, limit: 2, after: first[1]! })).toEqual(['a', 'c']);
  });

  it('refuse ids that no store and no screen can carry', async () => {
    const room = await openIdentity(open);
    for (const projectId of [
      '',
      ' a',
      'a\u0000b',
      'a\nb',
      '\ud800',
      'a\u202eb',
      'a\u200bb',
      'cafe\u0301',
      'x'.repeat(201),
    ]) {
      await expect(
        room.db.write((uow) => room.identity.ensureProject(uow, { projectId: projectId || ' ' }, ownerActor)),
      ).rejects.toMatchObject({ status: 400 });
    }
  });
});

describe('project ids', () => {
  it('may be any printable text', () => {
    for (const id of ['a', 'Ωmega project', 'a/b', '..', '日本', '🛰']) expect(isProjectId(id)).toBe(true);
    fc.assert(fc.property(fc.string(), (text) => isProjectId(`${text}\u0000`) === false));
  });
});
