import { type Check, demand, demandEqual, Skip } from '../check.ts';
import { demandError, hashIn, listOf, said, type Trial } from '../trial.ts';

const REQUIRED = [
  'package_id',
  'project_id',
  'relay_version',
  'title',
  'status',
  'package_type',
  'review_type',
  'created_at',
  'created_by',
];

async function refuses(trial: Trial, change: Record<string, unknown>, what: string): Promise<void> {
  const body = trial.aPackage(change);
  const reply = await trial.deposit(body);
  demand(reply.status === 400, `${what} was not refused with 400: ${said(reply)}`);
  demandError(reply, 400, 'invalid_schema');
}

async function accepts(trial: Trial, change: Record<string, unknown>, what: string): Promise<void> {
  const reply = await trial.deposit(trial.aPackage(change));
  demand(reply.status >= 200 && reply.status < 300, `${what} was refused: ${said(reply)}`);
}

export const packageChecks: readonly Check[] = [
  {
    id: 'A1',
    level: 'L0',
    weight: 'MUST',
    section: '6',
    title: 'A package is a JSON object that reads back as it was written',
    async run(trial) {
      const body = await trial.deposited({
        description: 'ü “quoted” \u0001 /',
        tags: ['a', ''],
        significance: 7,
      });
      const reply = await trial.read(body.package_id);
      demandEqual(reply.status, 200, 'status');
      for (const [name, value] of Object.entries(body)) demandEqual(reply.json?.[name], value, name);
    },
  },
  {
    id: 'A2',
    level: 'L0',
    weight: 'MUST',
    section: '6',
    title: 'Unknown fields survive at every depth',
    async run(trial) {
      const body = await trial.deposited({
        later_field: { deep: [{ er: null }, 1.5] },
        created_by: { ...trial.actor, git_commit: 'abc123' },
        deliverables: [{ path: 'a.md', type: 'md', reviewed: true }],
      });
      const { json } = await trial.read(body.package_id);
      demandEqual(json?.later_field, body.later_field, 'an unknown field');
      demandEqual(json?.created_by?.git_commit, 'abc123', 'an unknown field of created_by');
      demandEqual(json?.deliverables?.[0]?.reviewed, true, 'an unknown field of a deliverable');
    },
  },
  {
    id: 'A3',
    level: 'L0',
    weight: 'MUST',
    section: '12.1',
    title: 'x-* fields survive',
    async run(trial) {
      const body = await trial.deposited({ 'x-trust-score': 0.1, 'x-': {} });
      const { json } = await trial.read(body.package_id);
      demandEqual([json?.['x-trust-score'], json?.['x-']], [0.1, {}], 'x-* fields');
    },
  },
  {
    id: 'A4',
    level: 'L1',
    weight: 'MUST',
    section: '6.1',
    title: 'Each of the nine required fields is required',
    async run(trial) {
      for (const name of REQUIRED) {
        const body = trial.aPackage();
        delete body[name];
        const reply = await trial.target.send('POST', `${trial.projectPath(trial.project)}/packages`, body);
        demand(reply.status === 400, `a package without ${name} was not refused: ${said(reply)}`);
        demandError(reply, 400, 'invalid_schema');
      }
    },
  },
  {
    id: 'A6',
    level: 'L1',
    weight: 'MUST',
    section: '6.1',
    title: 'Any id that is unique within the project is accepted',
    async run(trial) {
      for (const id of ['with space', 'with/slash', 'ünï-✓', 'a?b#c&d', '"quoted"', '%2F']) {
        const body = await trial.deposited({ package_id: `${trial.freshId('id')} ${id}` });
        const reply = await trial.read(body.package_id);
        demandEqual(reply.json?.package_id, body.package_id, 'the id read back');
      }
    },
  },
  {
    id: 'A7',
    level: 'L1',
    weight: 'MUST',
    section: '6.1',
    title: 'relay_version is 0.1',
    async run(trial) {
      await refuses(trial, { relay_version: '0.2' }, 'relay_version 0.2');
      await refuses(trial, { relay_version: 0.1 }, 'a number as relay_version');
    },
  },
  {
    id: 'A8',
    level: 'L1',
    weight: 'MUST',
    section: '6.1',
    title: 'A title has 1 to 200 characters',
    async run(trial) {
      await refuses(trial, { title: '' }, 'an empty title');
      await refuses(trial, { title: 'x'.repeat(201) }, 'a title of 201 characters');
      await accepts(trial, { title: '😀'.repeat(200) }, 'a title of 200 characters beyond the BMP');
    },
  },
  {
    id: 'A9',
    level: 'L1',
    weight: 'MUST',
    section: '6.1',
    title: 'A status is one of four',
    run: (trial) => refuses(trial, { status: 'approved' }, 'status approved'),
  },
  {
    id: 'A10',
    level: 'L1',
    weight: 'MUST',
    section: '6.1',
    title: 'A review type is none, human or agent',
    run: (trial) => refuses(trial, { review_type: 'script' }, 'review_type script'),
  },
  {
    id: 'A11',
    level: 'L1',
    weight: 'MUST',
    section: '6.1',
    title: 'created_at is RFC 3339 in UTC',
    async run(trial) {
      for (const created_at of [
        '2026-04-18T20:00:00+02:00',
        '2026-04-18',
        'yesterday',
        '2026-02-30T00:00:00Z',
      ]) {
        await refuses(trial, { created_at }, `created_at ${created_at}`);
      }
      await accepts(trial, { created_at: '2026-04-18T20:00:00.123+00:00' }, 'created_at with +00:00');
    },
  },
  {
    id: 'A12',
    level: 'L1',
    weight: 'MUST',
    section: '6.2',
    title: 'created_by needs id and type; type is human, agent or script',
    async run(trial) {
      await refuses(trial, { created_by: { type: 'agent' } }, 'created_by without id');
      await refuses(trial, { created_by: { id: trial.actor.id } }, 'created_by without type');
      await refuses(trial, { created_by: { id: trial.actor.id, type: 'robot' } }, 'an actor of type robot');
    },
  },
  {
    id: 'A13',
    level: 'L1',
    weight: 'MAY',
    section: '6.2',
    title: 'created_by.session_id is text, null or absent',
    async run(trial) {
      await accepts(trial, { created_by: { ...trial.actor, session_id: 'sess_any' } }, 'a session id');
      await accepts(trial, { created_by: { ...trial.actor, session_id: null } }, 'a null session id');
      await accepts(trial, { created_by: { ...trial.actor } }, 'no session id');
    },
  },
  {
    id: 'A14',
    level: 'L1',
    weight: 'MUST',
    section: '6.3',
    title: 'No package type outside the list and x-*',
    run: (trial) => refuses(trial, { package_type: 'memo' }, 'package_type memo'),
  },
  {
    id: 'A15',
    level: 'L0',
    weight: 'MUST',
    section: '12.2',
    title: 'x-* package types are taken and kept',
    async run(trial) {
      const body = await trial.deposited({ package_type: 'x-model-eval' });
      demandEqual(
        (await trial.read(body.package_id)).json?.package_type,
        'x-model-eval',
        'the type read back',
      );
    },
  },
  {
    id: 'A16',
    level: 'L1',
    weight: 'MUST',
    section: '6.4',
    title: 'Optional fields have their types',
    async run(trial) {
      await refuses(trial, { tags: 'one' }, 'tags that are no list');
      await refuses(trial, { decisions_made: [1] }, 'a decision that is no text');
      await refuses(trial, { open_questions: {} }, 'open_questions that are no list');
      await refuses(trial, { description: 5 }, 'a description that is no text');
      await refuses(trial, { handoff_note: [] }, 'a handoff_note that is no text');
    },
  },
  {
    id: 'A17',
    level: 'L1',
    weight: 'MUST',
    section: '6.4',
    title: 'significance is an integer from 1 to 10',
    async run(trial) {
      for (const significance of [0, 11, 5.5, '5'])
        await refuses(trial, { significance }, `significance ${significance}`);
      for (const significance of [1, 10])
        await accepts(trial, { significance }, `significance ${significance}`);
    },
  },
  {
    id: 'A18',
    level: 'L1',
    weight: 'MUST',
    section: '6.4',
    title: 'estimated_next_actor is human, agent or null',
    async run(trial) {
      await refuses(trial, { estimated_next_actor: 'script' }, 'estimated_next_actor script');
      for (const estimated_next_actor of ['human', 'agent', null]) {
        await accepts(trial, { estimated_next_actor }, `estimated_next_actor ${estimated_next_actor}`);
      }
    },
  },
  {
    id: 'A19',
    level: 'L1',
    weight: 'MUST',
    section: '6.5',
    title: 'A deliverable has a path and a type; its hash is <algorithm>:<hex>',
    async run(trial) {
      await refuses(trial, { deliverables: [{ path: 'a' }] }, 'a deliverable without type');
      await refuses(trial, { deliverables: [{ type: 'md' }] }, 'a deliverable without path');
      await refuses(
        trial,
        { deliverables: [{ path: 'a', type: 'md', hash: 'abc' }] },
        'a hash without algorithm',
      );
      await refuses(trial, { deliverables: [{ path: 'a', type: 'md', size_bytes: 1.5 }] }, 'half a byte');
      await accepts(
        trial,
        { deliverables: [{ path: 'a', type: 'md', hash: 'sha256:ab12', size_bytes: 0 }] },
        'a whole deliverable',
      );
    },
  },
  {
    id: 'A31',
    level: 'L1',
    weight: 'MUST',
    section: '6.6',
    title: 'No way in alters a package that is there',
    async run(trial) {
      const body = await trial.deposited();
      const before = (await trial.read(body.package_id)).text;
      const changed = { ...body, title: 'Altered' };
      const path = `/v1/packages/${encodeURIComponent(body.package_id)}`;
      for (const method of ['PUT', 'PATCH', 'DELETE']) await trial.target.send(method, path, changed);
      await trial.deposit(changed);
      demandEqual(
        (await trial.read(body.package_id)).text,
        before,
        'the package after attempts to change it',
      );
    },
  },
  {
    id: 'A36',
    level: 'L1',
    weight: 'MUST',
    section: '5.3',
    title: 'A correction is a new package; what it corrects stays',
    async run(trial) {
      const parent = await trial.deposited();
      const before = (await trial.read(parent.package_id)).text;
      const child = await trial.deposited({ parent_package_id: parent.package_id });
      demandEqual(
        (await trial.read(child.package_id)).json?.parent_package_id,
        parent.package_id,
        'the parent',
      );
      demandEqual((await trial.read(parent.package_id)).text, before, 'the corrected package');
    },
  },
  {
    id: 'A37',
    level: 'L1',
    weight: 'MUST',
    section: '8.1',
    title: 'What is refused leaves no trace',
    async run(trial) {
      const body = trial.aPackage({ title: '' });
      await trial.deposit(body);
      demandEqual((await trial.read(body.package_id)).status, 404, 'the status of a refused package');
    },
  },
  {
    id: 'A38',
    level: 'L1',
    weight: 'MUST',
    section: '8.1',
    title: 'Of many different deposits under one id exactly one is kept, whole',
    async run(trial) {
      const package_id = trial.freshId();
      const bodies = Array.from({ length: 16 }, (_, i) =>
        trial.aPackage({ package_id, title: `Writer ${i}` }),
      );
      const replies = await Promise.all(bodies.map((body) => trial.deposit(body)));
      const stored = (await trial.read(package_id)).json;
      const won = bodies.filter((_, i) => replies[i]!.status < 300);
      demandEqual(won.length, 1, 'deposits that were accepted');
      demandEqual(stored?.title, won[0]?.title, 'the package that is kept');
    },
  },
  {
    id: 'A39',
    level: 'L1',
    weight: 'MUST',
    section: '8.1',
    title: 'A deposit answers the stored package and its hash',
    async run(trial) {
      const body = trial.aPackage();
      const reply = await trial.deposit(body);
      const answered = reply.json?.package ?? reply.json;
      demandEqual(answered?.package_id, body.package_id, 'package_id in the answer');
      demand(/^[0-9a-f]{64}$/.test(hashIn(reply) ?? ''), 'no SHA-256 content hash came with the answer');
    },
  },
  {
    id: 'A40',
    level: 'L1',
    weight: 'MUST',
    section: '11.2',
    title: 'The same package again is no error',
    async run(trial) {
      const body = await trial.deposited({ description: 'again' });
      const reordered = Object.fromEntries(Object.entries(body).reverse());
      const reply = await trial.deposit(reordered);
      demand(reply.status >= 200 && reply.status < 300, `a repeated deposit was refused: ${said(reply)}`);
    },
  },
  {
    id: 'A41',
    level: 'L1',
    weight: 'MUST',
    section: '11.2',
    title: 'Another package under the same id is refused',
    async run(trial) {
      const body = await trial.deposited();
      demandError(await trial.deposit({ ...body, title: 'Another' }), 409, 'duplicate_package_id');
    },
  },
  {
    id: 'A42',
    level: 'L1',
    weight: 'MAY',
    section: '8.1',
    title: 'An archived project takes deposits, or refuses them with project_archived',
    async run(trial) {
      const project_id = trial.projectNamed('archived');
      await trial.deposited({ project_id });
      const archived = await trial.target.send('POST', `${trial.projectPath(project_id)}/archive`);
      if (archived.status >= 300) throw new Skip('the server has no way to archive a project');
      const reply = await trial.deposit(trial.aPackage({ project_id }));
      if (reply.status >= 300) demandError(reply, 403, 'project_archived');
    },
  },
  {
    id: 'A43',
    level: 'L1',
    weight: 'MUST',
    section: '8.1',
    title: 'A rejected credential is 403 unauthorized',
    async run(trial) {
      const body = trial.aPackage();
      const path = `${trial.projectPath(trial.project)}/packages`;
      const reply = await trial.target.bare('POST', path, body);
      if (reply.status < 300) throw new Skip('the server takes deposits without a credential');
      demandError(reply, 403, 'unauthorized');
      demandEqual(
        (await trial.read(body.package_id)).status,
        404,
        'the status of a package without credential',
      );
    },
  },
  {
    id: 'A70',
    level: 'L0',
    weight: 'MUST',
    section: '5.2',
    title: 'A package belongs to the project it names',
    async run(trial) {
      const body = trial.aPackage({ project_id: trial.projectNamed('elsewhere') });
      const reply = await trial.target.send('POST', `${trial.projectPath(trial.project)}/packages`, body);
      demand(reply.status >= 400, 'a package was taken under a path that names another project');
    },
  },
  {
    id: 'A71',
    level: 'L1',
    weight: 'MUST',
    section: '10.1',
    title: 'Every package and every fact of a project can be read in wire format',
    async run(trial) {
      const project_id = trial.projectNamed('whole');
      const written = new Set<string>();
      for (let i = 0; i < 7; i += 1) written.add((await trial.deposited({ project_id })).package_id);
      const reply = await trial.target.get(`${trial.projectPath(project_id)}/packages?mode=latest&limit=100`);
      const read = new Set(listOf(reply, 'packages').map((one) => one.package_id));
      demand(
        [...written].every((id) => read.has(id)),
        'some packages cannot be listed',
      );
    },
  },
  {
    id: 'A84',
    level: 'L0',
    weight: 'MUST',
    section: '15.1',
    title: 'Packages and descriptor declare the version',
    async run(trial) {
      const body = await trial.deposited();
      demandEqual((await trial.read(body.package_id)).json?.relay_version, '0.1', 'relay_version');
      demandEqual(
        (await trial.target.get('/v1/conformance')).json?.protocol_version,
        '0.1',
        'protocol_version',
      );
    },
  },
  {
    id: 'A87',
    level: 'L0',
    weight: 'MAY',
    section: '5.6',
    title: 'A handoff is a note or a type, and keeps its hint',
    async run(trial) {
      const body = await trial.deposited({
        package_type: 'handoff',
        handoff_note: 'Over to you.',
        estimated_next_actor: 'human',
      });
      const { json } = await trial.read(body.package_id);
      demandEqual([json?.handoff_note, json?.estimated_next_actor], ['Over to you.', 'human'], 'the handoff');
    },
  },
];
