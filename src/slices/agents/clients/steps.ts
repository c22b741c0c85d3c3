import type { AgentActionId } from './actions.ts';

/** One thing that a tool call does, in the words of an Atlas. */
export interface Step {
  readonly action: AgentActionId;
  readonly parameters: Readonly<Record<string, unknown>>;
}
