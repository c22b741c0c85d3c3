import { agentsMigrations } from '../../slices/agents/migrations.ts';
import { agentsOperations } from '../../slices/agents/operations.ts';
import { createAgentsSlice } from '../../slices/agents/slice.ts';
import { redactText } from '../../slices/relay/spans/redact.ts';
import { bind } from '../../spine/dispatch/registry.ts';
import { needed } from '../offers.ts';
import type { Slice } from '../slice.ts';

/** What happens by itself where a coding agent works. */
export const agentsSlice: Slice = {
  migrations: agentsMigrations,
  compose(spine, offers) {
    const { db, clock, ids, hasher, journal, identity, inbox, redact } = spine;
    const agents = createAgentsSlice({
      db,
      clock,
      ids,
      hasher,
      journal,
      sessions: identity,
      inbox,
      // Nobody chose what a hook hears: secrets are removed whatever the settings say.
      redact: (text) => redactText(redact?.(text) ?? text),
      brief: needed(offers, 'brief'),
      findRelated: needed(offers, 'findRelated'),
      recall: needed(offers, 'recall'),
      capture: needed(offers, 'capture'),
      deposit: needed(offers, 'deposit'),
      ownDeposit: needed(offers, 'ownDeposit'),
      supersedeDeposit: needed(offers, 'supersedeDeposit'),
      judgeCall: needed(offers, 'judgeCall'),
    });
    return { operations: bind(agentsOperations, agents.handlers), upkeep: agents.upkeep };
  },
};
