import { assert, assertEqual } from '../../assertions.ts';
import type { Reply } from '../../target.ts';
import { type Check, L1, L3 } from '../check.ts';
import { assertAccepted, assertError, listOf, packagePath, shown, type Trial } from '../trial.ts';

const packageIn = ({ json }: Reply) => json?.package ?? json;

const review = (trial: Trial, id: string, verdict: string) =>
  trial.target.send('POST', packagePath(id, 'review'), { verdict, note: 'by the conformance suite' });

async function reviewed(trial: Trial, id: string, verdict: string, status: string): Promise<void> {
  const reply = await review(trial, id, verdict);
  assertAccepted(reply, 'the review');
  assertEqual(packageIn(reply)?.status, status, 'the status in the answer');
  assertEqual((await trial.read(id)).json?.status, status, 'the status when read');
}

export const reviewChecks: readonly Check[] = [
  L1.must('A32', '10.1', 'A complete package never changes', async (trial) => {
    const { body, text: before } = await trial.readBack();
    await trial.deposit({ ...body, status: 'draft' });
    await trial.flag(body.package_id, 'human');
    assertEqual((await trial.read(body.package_id)).text, before, 'the package');
  }),
  L1.must('A33', '5.3', 'A complete package stays complete', async (trial) => {
    const { package_id: id } = await trial.deposited();
    for (const reply of [await trial.flag(id, 'human'), await trial.flag(id, 'agent')])
      assert(reply.status >= 400, `a complete package was flagged: ${shown(reply)}`);
    for (const verdict of ['approve', 'request_changes']) {
      const reply = await review(trial, id, verdict);
      assert(reply.status >= 400, `a complete package was reviewed: ${shown(reply)}`);
    }
  }),
  L3.must('A34', '5.3', 'Only the listed transitions are possible', async (trial) => {
    const { package_id: id } = await trial.awaitingReview();
    await reviewed(trial, id, 'request_changes', 'revision_requested');
    assertEqual((await review(trial, id, 'request_changes')).status, 400, 'asking for changes twice');
    assertEqual(
      packageIn(await trial.flag(id, 'agent'))?.status,
      'awaiting_review',
      'the status after a flag',
    );
    await reviewed(trial, id, 'approve', 'complete');
  }),
  L3.must('A52', '8.5', 'A flag sets status and review type and returns the package', async (trial) => {
    const { package_id: id } = await trial.deposited({ status: 'draft' });
    const flag = { review_type: 'human', note: 'look' };
    const reply = await trial.target.send('POST', packagePath(id, 'flag'), flag);
    assertAccepted(reply, 'the flag');
    const { status, review_type } = packageIn(reply) ?? {};
    assertEqual([status, review_type], ['awaiting_review', 'human'], 'the flagged package');
  }),
  L3.must('A53', '8.5', 'A flag that is not possible is refused as specified', async (trial) => {
    const { package_id: id } = await trial.deposited();
    assertError(await trial.flag(id, 'human'), 400, 'invalid_transition');
    assertError(await trial.flag(trial.freshId('missing'), 'human'), 404, 'package_not_found');
    assertEqual((await trial.flag(id, 'nobody')).status, 400, 'the status for an unknown review type');
  }),
  L3.must('A54', '11.4', 'A package that awaits review can be approved', async (trial) =>
    reviewed(trial, (await trial.awaitingReview()).package_id, 'approve', 'complete'),
  ),
  L3.must('A55', '11.4', 'A package that awaits review can be sent back', async (trial) =>
    reviewed(trial, (await trial.awaitingReview()).package_id, 'request_changes', 'revision_requested'),
  ),
  L3.must('A56', '11.4', 'The packages that await review can be listed', async (trial) => {
    const { package_id: id } = await trial.awaitingReview();
    const query = '?status=awaiting_review&limit=200';
    let reply = await trial.getIn(trial.project, `/reviews${query}`);
    if (reply.status === 404) reply = await trial.getIn(trial.project, `/packages${query}`);
    const ids = listOf(reply, 'packages').map((one) => one.package_id);
    assert(ids.includes(id), 'the queue lacks a package that awaits review');
    await reviewed(trial, id, 'approve', 'complete');
  }),
];
