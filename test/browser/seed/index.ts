/** Days of work of a small team, for pages that are looked at full: everything comes in through the API. */

export { seedContext } from './context.ts';
export { seedConversation } from './conversation.ts';
export { seedGovernance } from './governance.ts';
export { seedMemory } from './memory.ts';
export { seedRun } from './run.ts';
export { seedSpans } from './spans.ts';
