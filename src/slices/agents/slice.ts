/** What happens by itself where a coding agent works: orientation, decisions before tools, records after them, deposits. */
import type { Handlers } from '../../spine/operations/handler.ts';
import { dropBefore, hasAnyBefore } from './capture/store.ts';
import { createHookHandlers } from './hooks/handlers.ts';
import { createLiveHandlers } from './live/handlers.ts';
import type { agentsOperations } from './operations.ts';
import type { AgentsPorts } from './ports.ts';
import { createTranscriptHandlers } from './transcripts/handlers.ts';

export interface AgentsSlice {
  readonly handlers: Handlers<typeof agentsOperations>;
  /** Drops what old deposits were made of. Call it every few seconds; writes nothing when nothing is due. */
  upkeep(): Promise<void>;
}

/** What was said and run is in the deposits by then. */
const KEPT_MICROS = 14 * 86_400 * 1_000_000;
const EVERY_MICROS = 600 * 1_000_000;

export function createAgentsSlice(deps: AgentsPorts): AgentsSlice {
  let looked = 0;
  return {
    handlers: { ...createHookHandlers(deps), ...createLiveHandlers(deps), ...createTranscriptHandlers(deps) },
    async upkeep() {
      const now = deps.clock.now();
      if (now - looked < EVERY_MICROS) return;
      looked = now;
      const before = now - KEPT_MICROS;
      if (await deps.db.read((reader) => hasAnyBefore(reader, before))) {
        await deps.db.write((uow) => dropBefore(uow, before));
      }
    },
  };
}
