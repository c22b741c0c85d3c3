/** A whole run against what it should look like; ids, instants and hashes are new each time. */
import type { Doc } from '../bench.ts';
import { type ConformanceCase, expectSame } from '../case.ts';

export interface Golden {
  readonly name: string;
  readonly manifest: Doc;
  readonly task: Doc;
  readonly resolution: Doc;
  readonly trace: readonly { readonly event_type: string; readonly payload: Doc }[];
}

const action = (id: string, name: string, parts: Doc) => ({
  action_id: id,
  name,
  description: `${name} of the library`,
  ...parts,
});
const offered = (definition: Doc, parts: Doc = {}) => ({
  ...definition,
  requires_confirmation: false,
  ...parts,
});

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
  task: { goal: 'Lend a book to a reader', risk_tier: 'low' },
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
    { event_type: 'session.started', payload: { agent_id: 'conformance', goal: 'Lend a book to a reader' } },
    {
      event_type: 'carp.request.received',
      payload: { operation: 'resolve', goal: 'Lend a book to a reader' },
    },
    {
      event_type: 'policy.evaluated',
      payload: { policy_id: 'readers', result: 'allow', action_id: 'book.find' },
    },
    {
      event_type: 'policy.evaluated',
      payload: { policy_id: 'readers', result: 'allow', action_id: 'book.lend' },
    },
    {
      event_type: 'policy.evaluated',
      payload: { policy_id: 'no-fire', result: 'deny', action_id: 'book.burn' },
    },
    {
      event_type: 'carp.resolution.completed',
      payload: {
        decision_type: 'partial',
        allowed_count: 2,
        denied_count: 1,
        context_block_count: 0,
        ttl_seconds: 3600,
      },
    },
  ],
};

/** Sorted, so that members may stand in any order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}

async function play(bench: Parameters<ConformanceCase['run']>[0]) {
  const { policies, actions } = golden.manifest as { policies: Doc[]; actions: Doc[] };
  const own = actions.map((each) => ({ ...each, action_id: bench.action(String(each.action_id)) }));
  await bench.load({ policies: bench.policies(policies), actions: own });
  const session = await bench.start({ goal: String(golden.task.goal) });
  const resolution = await bench.resolve(session, { task: golden.task });
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(`${bench.word}.`, ''));
  return { resolution: plain(resolution), trace: plain(await bench.trace(session)) as Doc[] };
}

export const goldenConformance: readonly ConformanceCase[] = [
  {
    id: 'golden.library.resolution',
    covers: ['R101', 'R16', 'R17'],
    area: 'CARP-Core',
    async run(bench) {
      const { resolution } = await play(bench);
      for (const [member, wanted] of Object.entries(golden.resolution)) {
        expectSame(sorted(resolution[member]), sorted(wanted), member);
      }
    },
  },
  {
    id: 'golden.library.trace',
    covers: ['R101', 'R40', 'R41', 'R48'],
    area: 'TRACE-Core',
    async run(bench) {
      const { trace } = await play(bench);
      const shown = trace.map((event, at) => {
        const wanted = golden.trace[at]?.payload ?? {};
        const payload = event.payload as Doc;
        return {
          event_type: event.event_type,
          payload: Object.fromEntries(Object.keys(wanted).map((key) => [key, payload[key]])),
        };
      });
      expectSame(shown, golden.trace, 'trace');
    },
  },
];
