import { deliveryMigrations } from '../../slices/delivery/migrations.ts';
import { deliveryOperations } from '../../slices/delivery/operations.ts';
import { runsFolder } from '../../slices/delivery/repository/keep.ts';
import { createDeliverySlice } from '../../slices/delivery/slice.ts';
import { bind } from '../../spine/dispatch/registry.ts';
import { describeError } from '../log.ts';
import { needed } from '../offers.ts';
import type { Slice } from '../slice.ts';
import { VERSION } from '../version.ts';

/** Who works next, under which gate: AgentXchain. */
export const deliverySlice: Slice = {
  migrations: deliveryMigrations,
  compose({ settings, db, clock, random, hasher, identity, inbox, log }, offers) {
    const delivery = createDeliverySlice({
      db,
      clock,
      random,
      hasher,
      version: VERSION,
      keepIn: runsFolder(settings.dataDir),
      ports: {
        inbox,
        record: identity.record,
        deposit: needed(offers, 'deposit'),
        assertFact: needed(offers, 'assertFact'),
        retractFact: needed(offers, 'retractFact'),
        resolve: needed(offers, 'resolve'),
        askPeer: needed(offers, 'askPeer'),
      },
    });
    return {
      operations: bind(deliveryOperations, delivery.handlers),
      jobs: delivery.jobs,
      upkeep: () =>
        delivery.catchUp((repositoryId, error) =>
          log.warn({ repositoryId, error: describeError(error) }, 'a governed repository cannot be followed'),
        ),
    };
  },
};
