/** How often an agent's reads of one memory count within a day, however many sessions it opens. */
const USES_PER_AGENT_AND_DAY = 3;

export interface UseSoFar {
  /** This memory was delivered in this session before. */
  readonly countedInSession: boolean;
  /** By this agent on this day. */
  readonly countedToday: number;
}

/** Only what reached an agent counts, once per session: else a loop could promote a memory. */
export function countsAsUse(reader: 'agent' | 'owner', soFar: UseSoFar): boolean {
  return reader === 'agent' && !soFar.countedInSession && soFar.countedToday < USES_PER_AGENT_AND_DAY;
}
