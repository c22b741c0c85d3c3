import { formatMicros } from '../../../kernel/instant.ts';
import { chosenProject } from '../../../spine/identity/access.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { relayErrors } from '../errors.ts';
import type { RelayDeps } from '../ports.ts';
import type { SpanFollower } from '../traces/follow-spans.ts';
import type { usageOperations } from './operations.ts';
import {
  countPrices,
  deletePrices,
  MOST_PRICES,
  type StoredPrice,
  selectPrices,
  upsertPrice,
} from './price-store.ts';
import { microsOf } from './schema.ts';
import { readStats } from './stats.ts';

export interface UsageHandlerDeps extends Pick<RelayDeps, 'db' | 'clock' | 'record'> {
  readonly follower: SpanFollower;
}

const WEEK_MICROS = 7 * 86_400e6;

export function createUsageHandlers({
  db,
  clock,
  record,
  follower,
}: UsageHandlerDeps): Handlers<typeof usageOperations> {
  return {
    'relay.stats': async ({ principal, input: { query } }) => {
      const projectId = chosenProject(principal, query.project);
      const complete = await follower.catchUp();
      const to = microsOf(query.to) ?? clock.now();
      const from = microsOf(query.from) ?? to - WEEK_MICROS;
      const { sort = 'spans', limit = 100, ...asked } = query;
      const { whole, ...stats } = await db.read((reader) =>
        readStats(reader, projectId, { ...asked, interval: query.interval, sort, limit, from, to }),
      );
      return { body: { ...stats, complete: complete && whole } };
    },
    'relay.prices': async (reader, { principal, input: { query } }) => {
      const prices = await selectPrices(reader, chosenProject(principal, query.project));
      return { body: { items: prices.map(viewOf) } };
    },
    'relay.price.set': async (uow, { principal, input: { query, body } }) => {
      const projectId = chosenProject(principal, query.project);
      await uow.lock(`relay:prices:${projectId}`);
      if ((await countPrices(uow, projectId)) >= MOST_PRICES) throw relayErrors.too_many_prices();
      const price: StoredPrice = {
        model: body.model,
        fromMicros: microsOf(body.from) ?? 0,
        input: body.input,
        output: body.output,
        cacheRead: body.cache_read,
        cacheWrite: body.cache_write,
        setBy: principal.actor.id,
      };
      await upsertPrice(uow, projectId, price);
      await record(uow, {
        projectId,
        actor: principal.actor,
        type: 'price.set',
        payload: {
          model: price.model,
          from: formatMicros(price.fromMicros),
          input: String(price.input),
          output: String(price.output),
        },
      });
      return { body: viewOf(price) };
    },
    'relay.price.remove': async (uow, { principal, input: { query } }) => {
      const projectId = chosenProject(principal, query.project);
      const removed = await deletePrices(uow, projectId, query.model, microsOf(query.from));
      if (removed > 0)
        await record(uow, {
          projectId,
          actor: principal.actor,
          type: 'price.removed',
          payload: { model: query.model, from: query.from ?? null },
        });
      return { body: null };
    },
  };
}

function viewOf({ fromMicros, cacheRead, cacheWrite, setBy, ...price }: StoredPrice) {
  return {
    ...price,
    from: formatMicros(fromMicros),
    ...(cacheRead !== undefined && { cache_read: cacheRead }),
    ...(cacheWrite !== undefined && { cache_write: cacheWrite }),
    set_by: setBy,
  };
}
