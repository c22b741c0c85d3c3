import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { fromPlain } from '../../../kernel/json/plain.ts';
import { systemClock } from '../../../platform/system-clock.ts';
import { openDatabase } from '../../../spine/storage/open.ts';
import { describeOnSqlite } from '../../../spine/storage/testing.ts';
import { loadAtlas } from '../atlases/load.ts';
import type { AtlasManifest, Policy } from '../atlases/schema.ts';
import { selectActiveLoads } from '../atlases/store.ts';
import { openWorld, type World, worldMigrations } from '../testing/world.ts';
import { nextVersion } from './gateway-atlas.ts';
import { ALLOW_ALL, gatewaysOn, loader } from './testing/gateway-world.ts';

const CALLS = process.env.BATON_PROVE === '1' ? 10_000 : 300;
const AT_ONCE = 8;
const DENY: Policy = { policy_id: 'no-drop', type: 'deny', actions: ['notes.drop.*'] };

interface Ran {
  readonly session_id: string;
  readonly manifest: string;
  readonly in_force: number;
}

describeOnSqlite('two gateways on one store', (open) => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  it(`let nothing slip in ${CALLS} racing calls while Atlases change`, async () => {
    const store = await open(worldMigrations);
    const other = await openDatabase(open.urlOf(store));
    const [here, there] = [store, other].map((db, seed) => ({ db, seed: seed + 1 }));
    const worlds: World[] = [];
    for (const each of [here, there]) {
      if (each) worlds.push(await openWorld(each.db, { clock: systemClock, seed: each.seed }));
    }
    const [first, second] = worlds as [World, World];
    const gateways = worlds.map((world) => gatewaysOn(world));
    closing.push(...gateways.map((each) => each.close), () => other.close());
    const [one, two] = gateways as [(typeof gateways)[0], (typeof gateways)[0]];

    // The same name in two processes, whose rules somebody keeps changing; and one that denies throughout.
    const changing = { name: 'changing', policies: [ALLOW_ALL] };
    const clients = [
      await (await one.open(changing)).connect(),
      await (await two.open(changing)).connect(),
      await (await two.open({ name: 'shut', policies: [ALLOW_ALL, DENY] })).connect(),
    ];
    let left = CALLS;
    let changes = 0;
    const answers = { done: 0, denied: 0, undecided: 0 };
    const change = async (world: World) => {
      while (left > 0) {
        changes += 1;
        await changePolicies(world, changes % 2 ? [ALLOW_ALL, DENY] : [ALLOW_ALL]);
        await pause(50);
      }
    };
    const callers = Array.from({ length: AT_ONCE }, async (_, at) => {
      while (left > 0) {
        left -= 1;
        const { text } =
          (await clients[(at + left) % clients.length]?.call('notes_drop_note', { n: left })) ?? {};
        if (text === 'done') answers.done += 1;
        else if (text?.startsWith('ACTION_DENIED')) answers.denied += 1;
        // The rules changed for as long as it was tried, so it has not run.
        else if (text?.startsWith('ATLAS_CHANGED')) answers.undecided += 1;
        else throw new Error(text);
      }
    });
    await Promise.all([...callers, change(first), change(second)]);
    const [, , shut] = clients.map(({ session }) => session.sessionId);
    for (const each of gateways) await each.close();

    const ran = await first.db.read((reader) =>
      reader.all<Ran>(
        `select e.session_id, c.manifest, (select count(*) from governance_atlas_loads l where l.digest = e.atlas_digest
           and l.loaded_us <= e.started_us and (l.unloaded_us is null or l.unloaded_us >= e.started_us)) as in_force
         from governance_executions e join governance_atlas_contents c on c.digest = e.atlas_digest
         where e.action_id = 'notes.drop.note'`,
      ),
    );
    const slips = ran.filter(
      ({ manifest, in_force, session_id }) =>
        in_force === 0 ||
        session_id === shut ||
        JSON.parse(manifest).policies.some(({ type }: Policy) => type === 'deny'),
    );
    expect(slips).toEqual([]);
    expect(ran).toHaveLength(answers.done);
    expect(answers.done + answers.denied + answers.undecided).toBe(CALLS);
    expect(answers.undecided).toBeLessThan(CALLS / 10);
    expect(Math.min(answers.done, answers.denied, changes)).toBeGreaterThan(0);
  }, 600_000);
});

/** As whoever loads another version over the gateway's own. */
async function changePolicies(world: World, policies: Policy[]): Promise<void> {
  const { deps } = world.governance;
  await world.db
    .write(async (uow) => {
      const load = (await selectActiveLoads(uow, 'default')).find(
        ({ atlasId }) => atlasId === 'dev.baton.gateway.changing',
      );
      const { manifest } = await deps.sets.content(uow, load?.digest ?? '');
      const next: AtlasManifest = { ...manifest, policies, version: nextVersion(load?.version) };
      await loadAtlas(uow, deps, loader, {
        projectId: 'default',
        manifest: fromPlain(next),
        mode: 'enforce',
      });
    })
    .catch((error: { readonly code?: string }) => {
      if (error.code !== 'storage_locked') throw error;
    });
}
