import type { TestServer } from '../../setup/server.ts';
import { agentClient } from './agent.ts';

/** A few days of work on a checkout service: packages that build on each other, a handoff, facts with a past. */
export async function seedContext(server: TestServer): Promise<void> {
  const planner = await agentClient(server, 'planner');
  const builder = await agentClient(server, 'builder');
  const session = await planner.call('sessions.begin', {});
  const plan = await planner.call('packages.write', {
    title: 'Checkout: payments move to one idempotent endpoint',
    description: 'Compared three designs and wrote down why retries must never charge twice.',
    package_type: 'decision',
    significance: 9,
    session_id: session.session_id,
    decisions_made: [
      'One endpoint POST /payments with an idempotency key, because mobile clients retry',
      'Keep the old endpoint for one release, because two partners still call it',
    ],
    open_questions: ['Who tells the partners about the old endpoint?'],
    tags: ['payments', 'api'],
  });
  const build = await builder.call('packages.write', {
    title: 'Idempotent payments are built and tested',
    description:
      'The endpoint answers the first outcome to every retry; a crash test kills it between the two writes.',
    package_type: 'milestone',
    significance: 8,
    parent_package_id: plan.package_id,
    decisions_made: ['Keys expire after 24 hours, which covers the longest client retry'],
    open_questions: ['Should refunds share the key space with payments?'],
    deliverables: [
      { path: 'src/payments/charge.ts', type: 'code' },
      { path: 'test/payments/crash.test.ts', type: 'test' },
    ],
    content_md: '## What changed\n\nCharges are written before the provider is called.',
  });
  await builder.call('packages.write', {
    title: 'Roll-out waits for the load test',
    package_type: 'handoff',
    parent_package_id: build.package_id,
    handoff_note:
      'Run the load test against staging, then raise the flag to 10 %. The dashboard link is in the runbook.',
    estimated_next_actor: 'human',
  });
  await builder.call('packages.write', {
    title: 'Runbook for double charges',
    description: 'What to do when a customer reports being charged twice.',
    package_type: 'analysis',
    review_type: 'human',
    parent_package_id: build.package_id,
    content_md: '1. Find the idempotency key.\n2. Compare both provider ids.\n3. Refund the later one.',
  });
  const facts = [
    ['checkout', 'deploy-branch', 'main'],
    ['checkout', 'payment-endpoint', '/charge'],
    ['checkout', 'payment-endpoint', '/payments'],
    ['staging', 'load-limit', '200 requests/s'],
    ['staging', 'load-limit', '450 requests/s'],
  ] as const;
  for (const [subject, predicate, value] of facts) {
    await builder.call('facts.state', {
      subject,
      predicate,
      value,
      confidence: 0.95,
      source_package_id: build.package_id,
    });
  }
}
