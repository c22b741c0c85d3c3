import { type Check, demand, demandEqual } from '../check.ts';
import { demandError, listOf, said, type Trial } from '../trial.ts';

const path = (id: string, verb: string) => `/v1/packages/${encodeURIComponent(id)}/${verb}`;

/** A package that waits for somebody other than whoever runs the suite wrote it. */
async function waiting(trial: Trial, more: Record<string, unknown> = {}): Promise<string> {
  const author = trial.other ?? trial.actor;
  const body = await trial.deposited({
    status: 'awaiting_review',
    review_type: 'agent',
    created_by: { ...author },
    ...more,
  });
  return body.package_id;
}

async function decide(trial: Trial, id: string, verdict: string) {
  return trial.target.send('POST', path(id, 'review'), { verdict, note: 'by the conformance suite' });
}

async function decided(trial: Trial, id: string, verdict: string, status: string): Promise<void> {
  const reply = await decide(trial, id, verdict);
  demand(reply.status < 300, `refused: ${said(reply)}`);
  demandEqual((reply.json?.package ?? reply.json)?.status, status, 'the status in the answer');
  demandEqual((await trial.read(id)).json?.status, status, 'the status when read');
}

export const reviewChecks: readonly Check[] = [
  {
    id: 'A32',
    level: 'L1',
    weight: 'MUST',
    section: '10.1',
    title: 'A complete package stays as it is once read',
    async run(trial) {
      const body = await trial.deposited();
      const before = (await trial.read(body.package_id)).text;
      await trial.deposit({ ...body, status: 'draft' });
      await trial.target.send('POST', path(body.package_id, 'flag'), { review_type: 'human' });
      demandEqual((await trial.read(body.package_id)).text, before, 'the package');
    },
  },
  {
    id: 'A33',
    level: 'L1',
    weight: 'MUST',
    section: '5.3',
    title: 'There is no way out of complete',
    async run(trial) {
      const body = await trial.deposited();
      for (const review_type of ['human', 'agent']) {
        const reply = await trial.target.send('POST', path(body.package_id, 'flag'), { review_type });
        demand(reply.status >= 400, `a complete package was flagged: ${said(reply)}`);
      }
      for (const verdict of ['approve', 'request_changes']) {
        const reply = await decide(trial, body.package_id, verdict);
        demand(reply.status >= 400, `a complete package was reviewed: ${said(reply)}`);
      }
    },
  },
  {
    id: 'A34',
    level: 'L3',
    weight: 'MUST',
    section: '5.3',
    title: 'Only the listed transitions are possible',
    async run(trial) {
      const id = await waiting(trial);
      await decided(trial, id, 'request_changes', 'revision_requested');
      const twice = await decide(trial, id, 'request_changes');
      demandEqual(twice.status, 400, 'asking for changes twice');
      const again = await trial.target.send('POST', path(id, 'flag'), { review_type: 'agent' });
      demandEqual(
        (again.json?.package ?? again.json)?.status,
        'awaiting_review',
        'the status after a new flag',
      );
      await decided(trial, id, 'approve', 'complete');
    },
  },
  {
    id: 'A52',
    level: 'L3',
    weight: 'MUST',
    section: '8.5',
    title: 'A flag sets status and review type and answers the package',
    async run(trial) {
      const body = await trial.deposited({ status: 'draft' });
      const reply = await trial.target.send('POST', path(body.package_id, 'flag'), {
        review_type: 'human',
        note: 'look',
      });
      demand(reply.status < 300, `refused: ${said(reply)}`);
      const answered = reply.json?.package ?? reply.json;
      demandEqual(
        [answered?.status, answered?.review_type],
        ['awaiting_review', 'human'],
        'the flagged package',
      );
    },
  },
  {
    id: 'A53',
    level: 'L3',
    weight: 'MUST',
    section: '8.5',
    title: 'A flag that cannot be is refused in the words of the protocol',
    async run(trial) {
      const body = await trial.deposited();
      const flag = (id: string, review_type: string) =>
        trial.target.send('POST', path(id, 'flag'), { review_type });
      demandError(await flag(body.package_id, 'human'), 400, 'invalid_transition');
      demandError(await flag(trial.freshId('missing'), 'human'), 404, 'package_not_found');
      demandEqual(
        (await flag(body.package_id, 'nobody')).status,
        400,
        'the status of an unknown review type',
      );
    },
  },
  {
    id: 'A54',
    level: 'L3',
    weight: 'MUST',
    section: '11.4',
    title: 'A waiting package can be approved',
    run: async (trial) => decided(trial, await waiting(trial), 'approve', 'complete'),
  },
  {
    id: 'A55',
    level: 'L3',
    weight: 'MUST',
    section: '11.4',
    title: 'A waiting package can be sent back',
    run: async (trial) => decided(trial, await waiting(trial), 'request_changes', 'revision_requested'),
  },
  {
    id: 'A56',
    level: 'L3',
    weight: 'MUST',
    section: '11.4',
    title: 'What waits in a project can be listed',
    async run(trial) {
      const id = await waiting(trial);
      const base = trial.projectPath(trial.project);
      let reply = await trial.target.get(`${base}/reviews?status=awaiting_review&limit=200`);
      if (reply.status === 404)
        reply = await trial.target.get(`${base}/packages?status=awaiting_review&limit=200`);
      const ids = listOf(reply, 'packages').map((one) => one.package_id);
      demand(ids.includes(id), 'a waiting package is not in the queue');
      await decided(trial, id, 'approve', 'complete');
    },
  },
];
