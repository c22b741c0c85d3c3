import type { Handlers } from '../../../spine/operations/handler.ts';
import type { replayOperations } from './operations.ts';
import type { Replays } from './replays.ts';

const LISTED = 50;

export function createReplayHandlers(replays: Replays): Handlers<typeof replayOperations> {
  return {
    'relay.replay.plan': async ({ principal, input: { body } }) => ({
      body: await replays.plan(principal, body),
    }),
    'relay.replay': async ({ principal, input: { body } }) => ({
      body: await replays.start(principal, body),
    }),
    'relay.replays': async (reader, { principal, input: { query } }) => ({
      body: { items: await replays.list(reader, principal.defaultProject, query.limit ?? LISTED) },
    }),
    'relay.replay.show': async ({ principal, input: { path, query }, signal }) => ({
      body: await replays.show(principal.defaultProject, path.replay_id, query, signal),
    }),
    'relay.replay.step': async ({ principal, input: { path, query } }) => ({
      body: await replays.step(principal.defaultProject, path.replay_id, query.number),
    }),
    'relay.replay.stop': async ({ principal, input: { path } }) => ({
      body: await replays.stop(principal, path.replay_id),
    }),
  };
}
