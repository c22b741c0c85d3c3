import type { PayloadCodec } from '../../../spine/journal/events/payload-codec.ts';
import type { OpenForTest } from '../../../spine/storage/testing.ts';
import type { Policy } from '../schema/atlas.ts';
import { actionOf, manifestOf } from './manifest.ts';
import { openWorld, type World, worldMigrations } from './world.ts';

export const echo = { executor: 'echo' };
export const ACTIONS = [
  actionOf('item.get', {
    ...echo,
    parameters_schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  }),
  actionOf('item.drop', { ...echo, risk_tier: 'high' }),
];
export const ALLOW: Policy = { policy_id: 'all', type: 'allow' };

/** Opens worlds in which an Atlas over two actions is loaded: one that asks for an id, and one of high risk. */
export function itemWorlds(open: OpenForTest) {
  return async (
    policies: Policy[] = [ALLOW],
    parts: object = {},
    settings = {},
    payloads?: PayloadCodec,
  ): Promise<World> => {
    const opened = await openWorld(await open(worldMigrations), { settings, ...(payloads && { payloads }) });
    const loaded = await opened.load(manifestOf({ actions: ACTIONS, policies, ...parts }));
    if (loaded.status !== 201) throw new Error(JSON.stringify(loaded.body));
    return opened;
  };
}

export const typesOf = (events: { event_type: string }[]) => events.map(({ event_type }) => event_type);
