import type { Actor, ProjectName, World } from './world.ts';

const HOUR = 3_600_000;

interface Step {
  readonly by: string;
  readonly project: ProjectName;
  /** How long ago its author says that it was made. The journal records when it arrived. */
  readonly hoursAgo: number;
  readonly id: string;
  readonly after?: string;
  readonly package: Readonly<Record<string, unknown>>;
}

const STEPS: readonly Step[] = [
  {
    by: 'planner',
    project: 'webshop',
    hoursAgo: 98,
    id: 'plan',
    package: {
      title: 'Checkout: payments move to one idempotent endpoint',
      description: 'Compared three designs. Retries of mobile clients must never charge twice.',
      package_type: 'decision',
      significance: 9,
      decisions_made: [
        'One endpoint POST /payments with an idempotency key, because mobile clients retry',
        'The old endpoint stays for one release, because two partners still call it',
      ],
      open_questions: ['Who tells the partners about the old endpoint?'],
      tags: ['payments', 'api'],
    },
  },
  {
    by: 'coral-heron',
    project: 'webshop',
    hoursAgo: 74,
    id: 'endpoint',
    after: 'plan',
    package: {
      title: 'Idempotent payments are built and tested',
      description:
        'The endpoint gives the first outcome to every retry. A crash test kills it between the two writes.',
      package_type: 'milestone',
      significance: 8,
      decisions_made: ['Keys expire after 24 hours, which covers the longest client retry'],
      open_questions: ['Should refunds share the key space with payments?'],
      deliverables: [
        { path: 'src/payments/charge.ts', type: 'code' },
        { path: 'test/payments/crash.test.ts', type: 'test' },
      ],
      content_md:
        '## What changed\n\nCharges are written **before** the provider is called, and settled after it answers.',
    },
  },
  {
    by: 'teal-otter',
    project: 'webshop',
    hoursAgo: 52,
    id: 'load',
    after: 'endpoint',
    package: {
      title: 'Load test: 450 payments a second on staging',
      description: 'p99 is 180 ms at 450 requests/s. Above that the connection pool is the limit.',
      package_type: 'analysis',
      significance: 6,
      decisions_made: ['The pool stays at 40 connections until the database is moved'],
      tags: ['payments', 'performance'],
    },
  },
  {
    by: 'coral-heron',
    project: 'webshop',
    hoursAgo: 26,
    id: 'refunds',
    after: 'endpoint',
    package: {
      title: 'Refunds have keys of their own',
      description: 'A refund and its payment can no longer block each other.',
      package_type: 'standard',
      significance: 5,
      deliverables: [{ path: 'src/payments/refund.ts', type: 'code' }],
    },
  },
  {
    by: 'coral-heron',
    project: 'webshop',
    hoursAgo: 3,
    id: 'rollout',
    after: 'load',
    package: {
      title: 'Roll-out to 10% is ready',
      description: 'Everything is behind the flag `payments.v2`.',
      package_type: 'handoff',
      significance: 7,
      handoff_note:
        'Raise the flag to 10% and watch the error budget for an hour. The dashboard is in the runbook.',
      estimated_next_actor: 'human',
    },
  },
  {
    by: 'teal-otter',
    project: 'webshop',
    hoursAgo: 1,
    id: 'runbook',
    after: 'refunds',
    package: {
      title: 'Runbook for double charges',
      description: 'What to do when a customer reports that they paid twice.',
      package_type: 'analysis',
      status: 'awaiting_review',
      review_type: 'human',
      content_md: '1. Find the idempotency key.\n2. Compare both provider ids.\n3. Refund the later one.',
    },
  },
  {
    by: 'support-lead',
    project: 'support',
    hoursAgo: 47,
    id: 'tone',
    package: {
      title: 'Replies name the next step first',
      description:
        'Read 60 tickets: customers answer half as often when the first sentence says what happens next.',
      package_type: 'decision',
      significance: 6,
      decisions_made: ['The first sentence says what we do next, the apology comes second'],
    },
  },
  {
    by: 'support-lead',
    project: 'support',
    hoursAgo: 2,
    id: 'macros',
    after: 'tone',
    package: {
      title: 'Forty reply templates rewritten',
      package_type: 'standard',
      status: 'awaiting_review',
      review_type: 'human',
      content_md: 'The three that are used most:\n\n- Late parcel\n- Double charge\n- Changed address',
    },
  },
  {
    by: 'build-keeper',
    project: 'platform',
    hoursAgo: 30,
    id: 'cache',
    package: {
      title: 'Build cache cuts the pipeline to six minutes',
      description: 'It took fourteen. The cache key is the lock file and the compiler’s version.',
      package_type: 'milestone',
      significance: 6,
      decisions_made: ['The cache is dropped every Sunday, because stale entries are hard to see'],
    },
  },
  {
    by: 'build-keeper',
    project: 'platform',
    hoursAgo: 5,
    id: 'staging',
    after: 'cache',
    package: {
      title: 'Staging moves to the new database on Friday',
      package_type: 'handoff',
      handoff_note: 'The dump takes 25 minutes. Announce it in the morning; nobody deploys meanwhile.',
      estimated_next_actor: 'agent',
      open_questions: ['Do the nightly imports need the old host name?'],
    },
  },
];

type Fact = readonly [
  by: string,
  project: ProjectName,
  subject: string,
  predicate: string,
  value: string,
  fromHoursAgo: number,
];

/** What was true from when on. Some was learned later than it became true. */
const FACTS: readonly Fact[] = [
  ['planner', 'webshop', 'checkout', 'payment endpoint', '/charge', 900],
  ['coral-heron', 'webshop', 'checkout', 'payment endpoint', '/payments', 74],
  ['coral-heron', 'webshop', 'checkout', 'key lifetime', '24 hours', 74],
  ['teal-otter', 'webshop', 'checkout', 'flag payments.v2', 'off', 70],
  ['coral-heron', 'webshop', 'checkout', 'flag payments.v2', 'staging only', 28],
  ['teal-otter', 'webshop', 'staging', 'load limit', '200 requests/s', 400],
  ['teal-otter', 'webshop', 'staging', 'load limit', '450 requests/s', 52],
  ['support-lead', 'support', 'refunds', 'limit without a person', '50 EUR', 300],
  ['support-lead', 'support', 'parcels', 'carrier', 'Nordpost', 200],
  ['support-lead', 'support', 'parcels', 'carrier', 'Blitzkurier', 20],
  ['build-keeper', 'platform', 'pipeline', 'duration', '14 minutes', 500],
  ['build-keeper', 'platform', 'pipeline', 'duration', '6 minutes', 30],
];

/** Packages that build on each other, one that a person has approved, and facts with a past. */
export async function fillWork(world: World): Promise<void> {
  const ids = new Map<string, string>();
  const sessions = new Map<string, string>();
  for (const step of STEPS) {
    const agent = await world.agent(step.by, step.project);
    const package_id = `${world.project(step.project)}.${step.id}`;
    const key = `${step.by} ${step.project}`;
    const session_id = sessions.get(key) ?? (await startSession(world, agent, step));
    sessions.set(key, session_id);
    await deposit(world, agent, step, { package_id, session_id, parent: ids.get(step.after ?? '') });
    ids.set(step.id, package_id);
  }
  for (const [by, project, subject, predicate, value, hoursAgo] of FACTS) {
    const agent = await world.agent(by, project);
    const valid_from = instant(world, hoursAgo);
    await agent.ask('facts.state', { subject, predicate, value, valid_from, confidence: 0.95 });
  }
  await approveOne(world, 'Forty reply templates rewritten');
}

async function startSession({ project }: World, agent: Actor, step: Step): Promise<string> {
  const description = String(step.package.title);
  const { session_id } = await agent.ask('sessions.start', {
    project_id: project(step.project),
    description,
  });
  return session_id;
}

interface Place {
  readonly package_id: string;
  readonly session_id: string;
  readonly parent: string | undefined;
}

async function deposit(
  world: World,
  agent: Actor,
  step: Step,
  { package_id, session_id, parent }: Place,
): Promise<void> {
  const project_id = world.project(step.project);
  await agent.ask('packages.deposit', {
    project_id,
    package: {
      package_id,
      project_id,
      relay_version: '0.1',
      status: 'complete',
      review_type: 'none',
      created_at: instant(world, step.hoursAgo),
      created_by: { id: agent.id, type: 'agent', session_id },
      ...(parent !== undefined && { parent_package_id: parent }),
      ...step.package,
    },
  });
}

/** A person decides one of the items, so that the inbox has a past as well. */
async function approveOne({ owner }: World, words: string): Promise<void> {
  const { items } = await owner.ask('inbox.list', { words });
  for (const { id, digest, needs_presence } of items) {
    if (needs_presence) continue;
    await owner.ask('inbox.decide', { id, digest, decision: 'approve', note: 'Reads well.' });
  }
}

function instant({ now }: World, hoursAgo: number): string {
  return new Date(now - hoursAgo * HOUR).toISOString();
}
