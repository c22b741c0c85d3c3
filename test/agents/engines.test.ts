/** What a session leaves in the store, on both engines and from two processes: a client's hooks, also at the same instant. */
import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { worldsOn } from '../memory/world.ts';

const place = { cwd: '/r', root: '/r', home: '/h', data: '/d', temporary: '/tmp', platform: 'linux' };
const stop = { hook_event_name: 'Stop' };
const start = { hook_event_name: 'SessionStart', source: 'startup' };
const wrote = (path: string) => ({
  hook_event_name: 'PostToolUse',
  tool_name: 'Write',
  tool_input: { file_path: path },
  tool_use_id: path,
  tool_response: {},
});

describeOnEachEngine('hooks', (open) => {
  const newWorld = worldsOn(open);

  async function opened() {
    const world = await newWorld();
    const other = await newWorld(world);
    const hook = async (message: object, who: 'helper' | 'rival' = 'helper', at = world) => {
      const { stdout } = await at.call(who, 'agents.hook', {
        client: 'claude-code',
        message: { session_id: 's', ...message },
        place,
        wait_seconds: 0,
      });
      return stdout === undefined ? undefined : JSON.parse(stdout).hookSpecificOutput;
    };
    return { world, other, hook };
  }

  it('of one conversation at the same instant open one session, and a deposit each turn at most', async () => {
    const { world, other, hook } = await opened();
    const files = Array.from({ length: 6 }, (_, at) => `f${at}.ts`);
    await Promise.all(
      files.map((file, at) => hook(wrote(`/r/${file}`), 'helper', at % 2 === 0 ? world : other)),
    );
    const status = await world.call('helper', 'agents.status', { project_id: 'default' });
    expect(status.sessions).toHaveLength(1);
    expect([...status.sessions[0].files].sort()).toEqual(files);
    await Promise.all([hook(stop), hook(stop, 'helper', other), hook(stop)]);
    const found = await world.call('helper', 'packages.pull', { project: 'default' });
    expect(found.map((each: { package_type: string }) => each.package_type)).toEqual(['auto_deposit']);
    await hook(wrote('/r/more.ts'));
    await hook(stop);
    const [head, former] = await world.call('helper', 'packages.pull', { project: 'default' });
    expect(head.parent_package_id).toBe(former.package_id);
  });

  it('are counted over time, by session and by actor, on both engines alike', async () => {
    const { world, hook } = await opened();
    await hook(wrote('/r/a.ts'));
    await hook(stop);
    // Numbers what is written, without which a reader of the journal does not see it.
    await world.call('ana', 'journal.changes', {});
    const asked = { project_id: 'default', hours: 1, intervals: 4 };
    const sessions = await world.call('ana', 'agents.activity', asked);
    const [session] = sessions.items;
    expect(session).toMatchObject({ actor_id: 'helper', actor_type: 'agent', packages: [0, 0, 0, 1] });
    expect(session.events[3]).toBe(session.total);
    expect(sessions).toMatchObject({ interval_seconds: 900, more: false, complete: true });
    const actors = await world.call('ana', 'agents.activity', { ...asked, by: 'actor', limit: 1 });
    expect(actors).toMatchObject({ items: [{ session_id: null }], more: true });
  });

  it('tell a person’s memories only by consent', async () => {
    const { world, hook } = await opened();
    const category = 'a2p:interests';
    await world.call('ana', 'memory.add', { content: 'Plays the cello', category });
    expect((await hook(start)).additionalContext).not.toContain('cello');
    await world.allow({ priority: 1, allow: ['a2p:interests'] });
    expect((await hook(start)).additionalContext).toContain('> Plays the cello');
  });

  it('are each credential’s own', async () => {
    const { hook } = await opened();
    await hook(start);
    await expect(hook(stop, 'rival')).rejects.toMatchObject({ code: 'session_not_owned' });
  });
});
