import type { Action } from './actions.ts';

/** What each group of actions is for, in the order in which they are listed. */
export const PURPOSES: Readonly<Record<string, string>> = {
  journal: 'The provable record of every change: read it, ask why, check it, prove one entry.',
  inbox: 'Decisions that wait for a person: see what is waiting and what was decided.',
  context:
    'What was done, decided and left open. Begin with orient; deposit at every decision and before you stop.',
  facts: 'What is true now, what was true then, and who said so.',
  questions: 'Ask people what only they can know, and read what they answered.',
  review: 'Gates that packages wait at: ask for a review, see the queue, decide.',
  search: 'Find packages and facts by meaning and by words.',
  governance: 'What you may do: ask before acting, act through it, and see why.',
  traces: 'What agents said to each other: sessions, traces as trees, the agent graph.',
  relay: 'The agents that can be reached through the relay, and the tasks that went to them.',
  channel: 'Coordinate with other agents: shared state with compare-and-set, leases, events and receipts.',
  runs: 'Governed runs: where each stands, what was decided in it and what comes next.',
  memory:
    'What is known of the person, with their consent: recall what you may see, propose what you learned. They decide what is kept.',
};

export interface Group {
  readonly name: string;
  readonly purpose: string;
  readonly actions: ReadonlyMap<string, Action>;
}

export function groupsOf(actions: ReadonlyMap<string, Action>): ReadonlyMap<string, Group> {
  const found = new Map<string, Map<string, Action>>();
  for (const action of actions.values()) {
    const group = found.get(action.tool) ?? new Map<string, Action>();
    found.set(action.tool, group.set(action.name, action));
  }
  const order = Object.keys(PURPOSES);
  const sorted = [...found].sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  return new Map(
    sorted.map(([name, members]) => {
      const purpose = PURPOSES[name];
      if (!purpose) throw new Error(`the MCP tool ${name} has no purpose in mcp/groups.ts`);
      return [name, { name, purpose, actions: members }];
    }),
  );
}
