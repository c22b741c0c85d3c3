import { assert, assertEqual, Skip } from '../../assertions.ts';
import { type Check, L0, L1 } from '../check.ts';
import { assertAccepted, assertError, hashIn, packagePath, projectPath, type Trial } from '../trial.ts';

type Changes = readonly Readonly<Record<string, unknown>>[];

const described = (change: unknown) => `a package with ${JSON.stringify(change).slice(0, 100)}`;

/** Each of the changes makes a package invalid. */
async function refuses(trial: Trial, ...changes: Changes): Promise<void> {
  for (const change of changes) {
    assertError(await trial.deposit(trial.aPackage(change)), 400, 'invalid_schema', described(change));
  }
}

async function accepts(trial: Trial, ...changes: Changes): Promise<void> {
  for (const change of changes) {
    assertAccepted(await trial.deposit(trial.aPackage(change)), described(change));
  }
}

export const packageChecks: readonly Check[] = [
  L0.must('A1', '6', 'A package is a JSON object that reads back as it was written', async (trial) => {
    const more = { description: 'ü “quoted” \u0001 /', tags: ['a', ''], significance: 7 };
    const { status, json, body } = await trial.readBack(more);
    assertEqual(status, 200, 'status');
    for (const [name, value] of Object.entries(body)) assertEqual(json?.[name], value, name);
  }),
  L0.must('A2', '6', 'Unknown fields survive at every depth', async (trial) => {
    const { json, body } = await trial.readBack({
      later_field: { deep: [{ er: null }, 1.5] },
      created_by: { ...trial.actor, git_commit: 'abc123' },
      deliverables: [{ path: 'a.md', type: 'md', reviewed: true }],
    });
    assertEqual(json?.later_field, body.later_field, 'an unknown field');
    assertEqual(json?.created_by?.git_commit, 'abc123', 'an unknown field of created_by');
    assertEqual(json?.deliverables?.[0]?.reviewed, true, 'an unknown field of a deliverable');
  }),
  L0.must('A3', '12.1', 'x-* fields survive', async (trial) => {
    const { json } = await trial.readBack({ 'x-trust-score': 0.1, 'x-': {} });
    assertEqual([json?.['x-trust-score'], json?.['x-']], [0.1, {}], 'x-* fields');
  }),
  L1.must('A4', '6.1', 'Each of the nine required fields is required', async (trial) => {
    for (const name of Object.keys(trial.aPackage())) {
      const { [name]: _, ...incomplete } = trial.aPackage();
      const path = `${projectPath(trial.project)}/packages`;
      const reply = await trial.target.send('POST', path, incomplete);
      assertError(reply, 400, 'invalid_schema', `a package without ${name}`);
    }
  }),
  L1.must('A6', '6.1', 'Any id that is unique within the project is accepted', async (trial) => {
    for (const id of ['with space', 'with/slash', 'ünï-✓', 'a?b#c&d', '"quoted"', '%2F']) {
      const { json, body } = await trial.readBack({ package_id: `${trial.freshId('id')} ${id}` });
      assertEqual(json?.package_id, body.package_id, 'the id read back');
    }
  }),
  L1.must('A7', '6.1', 'relay_version is 0.1', (trial) =>
    refuses(trial, { relay_version: '0.2' }, { relay_version: 0.1 }),
  ),
  L1.must('A8', '6.1', 'A title has 1 to 200 characters', async (trial) => {
    await refuses(trial, { title: '' }, { title: 'x'.repeat(201) });
    await accepts(trial, { title: '😀'.repeat(200) });
  }),
  L1.must('A9', '6.1', 'A status is one of four', (trial) => refuses(trial, { status: 'approved' })),
  L1.must('A10', '6.1', 'A review type is none, human or agent', (trial) =>
    refuses(trial, { review_type: 'script' }),
  ),
  L1.must('A11', '6.1', 'created_at is RFC 3339 in UTC', async (trial) => {
    const wrong = ['2026-04-18T20:00:00+02:00', '2026-04-18', 'yesterday', '2026-02-30T00:00:00Z'];
    await refuses(trial, ...wrong.map((created_at) => ({ created_at })));
    await accepts(trial, { created_at: '2026-04-18T20:00:00.123+00:00' });
  }),
  L1.must('A12', '6.2', 'created_by needs an id and a type: human, agent or script', async (trial) => {
    const { id } = trial.actor;
    const wrong = [{ type: 'agent' }, { id }, { id, type: 'robot' }];
    await refuses(trial, ...wrong.map((created_by) => ({ created_by })));
  }),
  L1.may('A13', '6.2', 'created_by.session_id is text, null or absent', async (trial) => {
    const fine = [{ session_id: 'sess_any' }, { session_id: null }, {}];
    await accepts(trial, ...fine.map((session) => ({ created_by: { ...trial.actor, ...session } })));
  }),
  L1.must('A14', '6.3', 'A package type is in the list or begins with x-', (trial) =>
    refuses(trial, { package_type: 'memo' }),
  ),
  L0.must('A15', '12.2', 'x-* package types are accepted and kept', async (trial) => {
    const { json } = await trial.readBack({ package_type: 'x-model-eval' });
    assertEqual(json?.package_type, 'x-model-eval', 'the type read back');
  }),
  L1.must('A16', '6.4', 'Optional fields have the specified types', async (trial) => {
    await refuses(trial, { tags: 'one' }, { decisions_made: [1] }, { open_questions: {} });
    await refuses(trial, { description: 5 }, { handoff_note: [] });
  }),
  L1.must('A17', '6.4', 'significance is an integer from 1 to 10', async (trial) => {
    await refuses(trial, ...[0, 11, 5.5, '5'].map((significance) => ({ significance })));
    await accepts(trial, { significance: 1 }, { significance: 10 });
  }),
  L1.must('A18', '6.4', 'estimated_next_actor is human, agent or null', async (trial) => {
    await refuses(trial, { estimated_next_actor: 'script' });
    await accepts(trial, ...['human', 'agent', null].map((next) => ({ estimated_next_actor: next })));
  }),
  L1.must('A19', '6.5', 'A deliverable has a path, a type and a hash <algorithm>:<hex>', async (trial) => {
    const whole = { path: 'a', type: 'md', hash: 'sha256:ab12', size_bytes: 0 };
    const wrong = [
      { path: 'a' },
      { type: 'md' },
      { path: 'a', type: 'md', hash: 'abc' },
      { path: 'a', type: 'md', size_bytes: 1.5 },
    ];
    await refuses(trial, ...wrong.map((deliverable) => ({ deliverables: [deliverable] })));
    await accepts(trial, { deliverables: [whole] });
  }),
  L1.must('A31', '6.6', 'No request alters a stored package', async (trial) => {
    const { body, text: before } = await trial.readBack();
    const changed = { ...body, title: 'Altered' };
    const path = packagePath(body.package_id);
    for (const method of ['PUT', 'PATCH', 'DELETE']) await trial.target.send(method, path, changed);
    await trial.deposit(changed);
    assertEqual((await trial.read(body.package_id)).text, before, 'the package after attempts to change it');
  }),
  L1.must('A36', '5.3', 'A correction is a new package; the corrected one stays', async (trial) => {
    const { body: parent, text: before } = await trial.readBack();
    const { json } = await trial.readBack({ parent_package_id: parent.package_id });
    assertEqual(json?.parent_package_id, parent.package_id, 'the parent');
    assertEqual((await trial.read(parent.package_id)).text, before, 'the corrected package');
  }),
  L1.must('A37', '8.1', 'A refused deposit leaves nothing behind', async (trial) => {
    const body = trial.aPackage({ title: '' });
    await trial.deposit(body);
    assertEqual((await trial.read(body.package_id)).status, 404, 'the status of a refused package');
  }),
  L1.must('A38', '8.1', 'Of several different deposits under one id, exactly one is kept', async (trial) => {
    const package_id = trial.freshId();
    const bodies = Array.from({ length: 16 }, (_, i) => trial.aPackage({ package_id, title: `Writer ${i}` }));
    const replies = await Promise.all(bodies.map((body) => trial.deposit(body)));
    const stored = (await trial.read(package_id)).json;
    const won = bodies.filter((_, i) => replies[i]!.status < 300);
    assertEqual(won.length, 1, 'deposits that were accepted');
    assertEqual(stored?.title, won[0]?.title, 'the package that is kept');
  }),
  L1.must('A39', '8.1', 'A deposit returns the stored package and its hash', async (trial) => {
    const body = trial.aPackage();
    const reply = await trial.deposit(body);
    const answered = reply.json?.package ?? reply.json;
    assertEqual(answered?.package_id, body.package_id, 'package_id in the answer');
    assert(/^[0-9a-f]{64}$/.test(hashIn(reply) ?? ''), 'the answer has no SHA-256 content hash');
  }),
  L1.must('A40', '11.2', 'Repeating a deposit is no error', async (trial) => {
    const body = await trial.deposited({ description: 'again' });
    const reordered = Object.fromEntries(Object.entries(body).reverse());
    assertAccepted(await trial.deposit(reordered), 'a repeated deposit');
  }),
  L1.must('A41', '11.2', 'A different package under the same id is refused', async (trial) => {
    const body = await trial.deposited();
    assertError(await trial.deposit({ ...body, title: 'Another' }), 409, 'duplicate_package_id');
  }),
  L1.may('A42', '8.1', 'An archived project accepts deposits or answers project_archived', async (trial) => {
    const project_id = trial.projectNamed('archived');
    await trial.deposited({ project_id });
    const archived = await trial.target.send('POST', `${projectPath(project_id)}/archive`);
    if (archived.status >= 300) throw new Skip('the server cannot archive a project');
    const reply = await trial.deposit(trial.aPackage({ project_id }));
    if (reply.status >= 300) assertError(reply, 403, 'project_archived');
  }),
  L1.must('A43', '8.1', 'A rejected credential is 403 unauthorized', async (trial) => {
    const body = trial.aPackage();
    const path = `${projectPath(trial.project)}/packages`;
    const reply = await trial.target.send('POST', path, body, { token: null });
    if (reply.status < 300) throw new Skip('the server accepts deposits without a credential');
    assertError(reply, 403, 'unauthorized');
    assertEqual((await trial.read(body.package_id)).status, 404, 'the status of the refused package');
  }),
  L0.must('A70', '5.2', 'A package belongs to the project it names', async (trial) => {
    const body = trial.aPackage({ project_id: trial.projectNamed('elsewhere') });
    const reply = await trial.target.send('POST', `${projectPath(trial.project)}/packages`, body);
    assert(reply.status >= 400, 'a package was accepted under the path of another project');
  }),
  L1.must('A71', '10.1', 'Every package and fact of a project can be read in wire format', async (trial) => {
    const project_id = trial.projectNamed('whole');
    const written = new Set<string>();
    for (let i = 0; i < 7; i += 1) written.add((await trial.deposited({ project_id })).package_id);
    const listed = await trial.packages(project_id, '&limit=100');
    for (const { package_id } of listed) written.delete(package_id);
    assertEqual([...written], [], 'packages that are not listed');
  }),
  L0.must('A84', '15.1', 'Packages and descriptor declare the protocol version', async (trial) => {
    assertEqual((await trial.readBack()).json?.relay_version, '0.1', 'relay_version');
    const { json } = await trial.get('/v1/conformance');
    assertEqual(json?.protocol_version, '0.1', 'protocol_version');
  }),
  L0.may('A87', '5.6', 'A handoff has a note or a type, and keeps its hint', async (trial) => {
    const handoff = { handoff_note: 'Over to you.', estimated_next_actor: 'human' };
    const { json } = await trial.readBack({ package_type: 'handoff', ...handoff });
    assertEqual([json?.handoff_note, json?.estimated_next_actor], ['Over to you.', 'human'], 'the handoff');
  }),
];
