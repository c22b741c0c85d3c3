import { bind } from '../../dispatch/registry.ts';
import { createExecutors, echoExecutor } from '../../governance/executors/executor.ts';
import { httpExecutor } from '../../governance/executors/http-executor.ts';
import { createGovernanceHandlers } from '../../governance/handlers.ts';
import { governanceMigrations } from '../../governance/migrations.ts';
import { governanceOperations } from '../../governance/operations.ts';
import { createGovernance } from '../../governance/service/service.ts';
import type { Slice } from '../slice.ts';

export const governanceSlice: Slice = {
  migrations: governanceMigrations,
  compose({ db, clock, ids, hasher, journal, feed, identity, inbox }) {
    const executors = createExecutors({ http: (url) => httpExecutor(url) });
    executors.register('echo', echoExecutor);
    const governance = createGovernance({
      db,
      clock,
      ids,
      hasher,
      journal,
      feed,
      sessions: identity,
      record: identity.record,
      inbox,
      executors,
    });
    return {
      operations: bind(governanceOperations, createGovernanceHandlers(governance)),
      upkeep: async () => {
        await governance.recover();
      },
    };
  },
};
