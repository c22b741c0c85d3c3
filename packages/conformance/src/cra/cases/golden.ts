/** A whole run compared with the expected one, except for ids, instants and hashes, which differ every time. */
import { isRecord, type LooseRecord } from '../../../../../src/kernel/json/loose.ts';
import { assertEqual } from '../../assertions.ts';
import type { Bench, TraceLine } from '../bench.ts';
import { type ConformanceCase, carp, trace } from '../case.ts';

export interface Golden {
  readonly name: string;
  readonly manifest: LooseRecord;
  readonly task: LooseRecord;
  readonly resolution: LooseRecord;
  readonly trace: readonly { readonly event_type: string; readonly payload: LooseRecord }[];
}

const GOAL = 'Lend a book to a reader';
const event = (event_type: string, payload: LooseRecord) => ({ event_type, payload });
const action = (id: string, name: string, parts: LooseRecord) => ({
  action_id: id,
  name,
  description: `${name} of the library`,
  ...parts,
});
const offered = (definition: LooseRecord) => ({ ...definition, requires_confirmation: false });

const find = action('book.find', 'Find books', {
  parameters_schema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  returns_schema: { type: 'object' },
  risk_tier: 'low',
  idempotent: true,
});
const lend = action('book.lend', 'Lend a book', {
  parameters_schema: { type: 'object' },
  returns_schema: {},
  risk_tier: 'medium',
  idempotent: false,
});
const burn = action('book.burn', 'Burn a book', { risk_tier: 'critical' });

export const golden: Golden = {
  name: 'library',
  manifest: {
    policies: [
      { policy_id: 'readers', type: 'allow', actions: ['book.find', 'book.lend'] },
      {
        policy_id: 'no-fire',
        type: 'deny',
        actions: ['book.burn'],
        parameters: { reason: 'Books are kept' },
      },
    ],
    actions: [find, lend, burn],
  },
  task: { goal: GOAL, risk_tier: 'low' },
  resolution: {
    decision: {
      type: 'partial',
      reason: 'Some actions are denied by policy',
      approval_id: null,
      expires_at: null,
    },
    context_blocks: [],
    allowed_actions: [offered(find), offered(lend)],
    denied_actions: [{ action_id: 'book.burn', reason: 'Books are kept', policy_id: 'no-fire' }],
    constraints: [],
    ttl_seconds: 3600,
  },
  trace: [
    event('session.started', { agent_id: 'conformance', goal: GOAL }),
    event('carp.request.received', { operation: 'resolve', goal: GOAL }),
    event('policy.evaluated', { policy_id: 'readers', result: 'allow', action_id: 'book.find' }),
    event('policy.evaluated', { policy_id: 'readers', result: 'allow', action_id: 'book.lend' }),
    event('policy.evaluated', { policy_id: 'no-fire', result: 'deny', action_id: 'book.burn' }),
    event('carp.resolution.completed', {
      decision_type: 'partial',
      allowed_count: 2,
      denied_count: 1,
      context_block_count: 0,
      ttl_seconds: 3600,
    }),
  ],
};

/** Members may be in any order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}

async function play(bench: Bench) {
  const { policies, actions } = golden.manifest as Record<string, LooseRecord[]>;
  const own = actions?.map((each) => ({ ...each, action_id: bench.action(String(each.action_id)) }));
  await bench.load({ policies: bench.policies(policies ?? []), actions: own });
  const session = await bench.start({ goal: String(golden.task.goal) });
  const resolution = await bench.resolve(session, { task: golden.task });
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(`${bench.word}.`, ''));
  return { resolution: plain(resolution), events: plain(await bench.trace(session)) as TraceLine[] };
}

export const goldenConformance: readonly ConformanceCase[] = [
  carp('golden.library.resolution', ['R101', 'R16', 'R17'], async (bench) => {
    const { resolution } = await play(bench);
    for (const [member, expected] of Object.entries(golden.resolution))
      assertEqual(sorted(resolution[member]), sorted(expected), member);
  }),
  trace('golden.library.trace', ['R101', 'R40', 'R41', 'R48'], async (bench) => {
    const { events } = await play(bench);
    const found = events.map(({ event_type, payload }, at) => {
      const members = Object.keys(golden.trace[at]?.payload ?? {});
      return { event_type, payload: Object.fromEntries(members.map((key) => [key, payload[key]])) };
    });
    assertEqual(found, golden.trace, 'trace');
  }),
];
