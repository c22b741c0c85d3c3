import { afterEach, expect, it } from 'vitest';
import { describeOnSqlite } from '../../../spine/storage/testing.ts';
import { openWorld, worldMigrations } from '../testing/world.ts';
import { ALLOW_ALL, FULL_SERVER, gatewaysOn } from './testing/gateway-world.ts';

describeOnSqlite('a server behind the gateway', (open) => {
  let gateways: ReturnType<typeof gatewaysOn> | undefined;
  afterEach(async () => gateways?.close());

  async function before(servers: Record<string, typeof FULL_SERVER>) {
    gateways = gatewaysOn(await openWorld(await open(worldMigrations)));
    const { connect } = await gateways.open({ servers, policies: [ALLOW_ALL] });
    return connect();
  }

  it('that is killed is started again alone, and the others answer all along', async () => {
    const { client, call, names } = await before({ one: FULL_SERVER, two: FULL_SERVER, three: FULL_SERVER });
    const all = await names();
    const { text: pid } = await call('two_pid');
    const answers: string[] = [];
    let going = true;
    const others = (async () => {
      for (let n = 0; going; n += 1) {
        answers.push((await call(n % 2 ? 'one_read_note' : 'three_read_note', { id: 'a' })).text);
      }
    })();
    process.kill(Number(pid), 'SIGKILL');
    await expect
      .poll(() => call('two_pid'))
      .toEqual({
        isError: true,
        text: expect.stringMatching(
          /^UPSTREAM_UNAVAILABLE: The MCP server two is not available: .*it is started again.* Go on elsewhere and repeat the call later/,
        ),
      });
    const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
    const marked = tools.filter(({ _meta }) => _meta?.['dev.baton/unavailable'] !== undefined);
    if (marked.length > 0) expect(marked.every(({ name }) => name.startsWith('two_'))).toBe(true);
    await expect.poll(async () => (await call('two_pid')).isError).toBe(false);
    expect((await call('two_pid')).text).not.toBe(pid);
    going = false;
    await others;
    expect(answers.length).toBeGreaterThan(0);
    expect(new Set(answers)).toEqual(new Set(['first note']));
    expect(await names()).toEqual(all);
  });

  it('that is lost while it works leaves an outcome that nobody knows', async () => {
    const { call } = await before({ notes: FULL_SERVER });
    expect((await call('notes_die')).text).toMatch(/^OUTCOME_UNKNOWN: .*may have taken effect/);
  });

  it('that cannot start is unavailable, and the gateway serves the others', async () => {
    const { names, call } = await before({
      broken: { command: 'no-such-program-of-anybody' },
      ended: { command: process.execPath, args: ['-e', 'console.error("no key"); process.exit(1)'] },
      notes: FULL_SERVER,
    });
    await expect.poll(() => call('notes_read_note', { id: 'a' })).toMatchObject({ text: 'first note' });
    const served = await names();
    expect(served).not.toEqual([]);
    expect(served.filter((name) => !name.startsWith('notes_'))).toEqual([]);
  });

  it('is told again what its client had asked it to remember', async () => {
    const { client, call } = await before({ notes: FULL_SERVER });
    const updated: unknown[] = [];
    client.setNotificationHandler('notifications/resources/updated', async ({ params }) => {
      updated.push(params.uri);
    });
    await client.subscribeResource({ uri: 'note://a' });
    await call('notes_die');
    await expect.poll(async () => (await call('notes_pid')).isError).toBe(false);
    await expect
      .poll(async () => {
        await call('notes_touch');
        return updated.length;
      })
      .toBeGreaterThan(0);
  });
});
