import { assert, assertEqual, Skip } from '../../assertions.ts';
import { type Check, L0, L1 } from '../check.ts';
import { assertError, codeOf, listOf, packagePath, projectPath, shown } from '../trial.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

export const readingChecks: readonly Check[] = [
  L0.must('A44', '8.2', 'latest is newest first by instant, 5 unless asked otherwise', async (trial) => {
    const project_id = trial.projectNamed('latest');
    const oldestFirst = ['0Z', '0.25Z', '0.5Z', '1+00:00', '2Z', '3Z', '4Z'];
    const ids = new Map<string, string>();
    for (const at of [0, 2, 3, 1, 4, 5, 6]) {
      const body = await trial.deposited({ project_id, created_at: `2026-01-01T00:00:0${oldestFirst[at]}` });
      ids.set(body.package_id, oldestFirst[at]!);
    }
    const list = async (query: string) =>
      (await trial.packages(project_id, query)).map((one) => ids.get(one.package_id));
    const order = [...oldestFirst].reverse();
    assertEqual(await list(''), order.slice(0, 5), 'the latest five');
    assertEqual(await list('&limit=7'), order, 'the latest seven');
    assertEqual(await list('&limit=1'), order.slice(0, 1), 'the latest one');
  }),
  L0.must('A45', '8.2', 'specific returns the one package, or 404', async (trial) => {
    const { json, body } = await trial.readBack();
    assertEqual(json?.package_id, body.package_id, 'the package');
    assertError(await trial.get(packagePath(trial.freshId('missing'))), 404, 'package_not_found');
  }),
  L0.must('A46', '8.2', 'relevant ranks, or names the missing capability', async (trial) => {
    const body = await trial.deposited({ title: 'Migrated the aardvark cluster to quartz storage' });
    await trial.deposited({ title: 'Watered the plants' });
    const reply = await trial.getIn(trial.project, '/packages?mode=relevant&query=aardvark+quartz');
    if (reply.status !== 501) {
      assertEqual(listOf(reply, 'packages')[0]?.package_id, body.package_id, 'the best match');
      return;
    }
    const codes = ['search_not_supported', 'not_implemented'];
    assert(codes.includes(codeOf(reply)), `another code: ${shown(reply)}`);
    assert(/semantic_search|hybrid_search/.test(reply.text), 'the 501 does not name the missing capability');
  }),
  L0.must('A47', '8.3', 'orient returns its six parts', async (trial) => {
    await trial.deposited();
    const { json, status } = await trial.getIn(trial.project, '/orient');
    assertEqual(status, 200, 'status');
    assert(typeof json?.project === 'object' && json.project !== null, 'no project');
    for (const name of ['recent_packages', 'active_facts', 'open_questions'])
      assert(Array.isArray(json[name]), `${name} is not a list`);
    assert(typeof json.window_days === 'number', 'no window_days');
    assert(!Number.isNaN(Date.parse(json.generated_at)), 'no generated_at');
  }),
  L0.must('A48', '8.3', 'The window is 14 days unless asked otherwise, and is kept', async (trial) => {
    const project_id = trial.projectNamed('window');
    const fresh = await trial.deposited({ project_id });
    const old = await trial.deposited({ project_id, created_at: daysAgo(20) });
    const orient = async (query: string) => (await trial.getIn(project_id, `/orient${query}`)).json;
    const ids = (bundle: { recent_packages: { package_id: string }[] }) =>
      bundle.recent_packages.map((one) => one.package_id);
    const usual = await orient('');
    assertEqual([usual.window_days, ids(usual)], [14, [fresh.package_id]], 'the usual window');
    const wide = await orient('?window_days=30');
    const both = [fresh.package_id, old.package_id];
    assertEqual([wide.window_days, ids(wide)], [30, both], 'a window of 30 days');
  }),
  L0.must('A50', '8.3', 'Open questions come from the recent packages', async (trial) => {
    const project_id = trial.projectNamed('questions');
    await trial.deposited({ project_id, open_questions: ['Why is the sky blue?'] });
    await trial.deposited({ project_id, created_at: daysAgo(90), open_questions: ['Long forgotten?'] });
    const { json } = await trial.getIn(project_id, '/orient');
    assertEqual(json?.open_questions, ['Why is the sky blue?'], 'open_questions');
  }),
  L1.should('A35', '5.3', 'Only its author sees a draft', async (trial) => {
    const created_by = { ...trial.requireOther() };
    const project_id = trial.projectNamed('drafts');
    const open_questions = ['Unripe?'];
    const draft = await trial.deposited({ project_id, status: 'draft', created_by, open_questions });
    await trial.deposited({ project_id });
    for (const path of [
      `${projectPath(project_id)}/packages?mode=latest&limit=50`,
      `${projectPath(project_id)}/orient`,
      `/v1/orchestrate?project=${encodeURIComponent(project_id)}`,
    ]) {
      const reply = await trial.get(path);
      const leaks = reply.text.includes(draft.package_id) || reply.text.includes('Unripe?');
      assert(!leaks, `another actor's draft is shown at ${path}`);
    }
  }),
  L0.may('A51', '8.4', 'orchestrate returns its parts for one project and for all', async (trial) => {
    const body = await trial.deposited({ title: 'The walrus was tuned' });
    const path = `/v1/orchestrate?project=${encodeURIComponent(trial.project)}`;
    const reply = await trial.get(`${path}&focus=walrus`);
    if (reply.status === 404 || reply.status === 501) throw new Skip('orchestrate is not offered');
    for (const name of ['active_facts', 'open_questions', 'snippets'])
      assert(Array.isArray(reply.json?.[name]), `${name} is not a list: ${shown(reply)}`);
    assert(reply.json.summary !== undefined, 'no summary');
    const found = listOf(reply, 'snippets').map(({ package_id }) => package_id);
    assert(found.includes(body.package_id), 'the snippets ignore the focus');
    assert((await trial.get('/v1/orchestrate')).status === 200, 'no digest over all projects');
  }),
  L0.should('A77', '9.1', 'Operations are at the recommended paths', async (trial) => {
    await trial.deposited();
    for (const path of ['/packages?mode=latest', '/orient', '/facts'])
      assertEqual((await trial.getIn(trial.project, path)).status, 200, path);
  }),
  L0.must('A78', '9.1', 'Answers are JSON with UTC times', async (trial) => {
    await trial.deposited();
    const reply = await trial.getIn(trial.project, '/orient');
    assert(reply.headers.get('content-type')?.startsWith('application/json'), 'the content type is not JSON');
    assert(/(Z|\+00:00)$/i.test(reply.json?.generated_at ?? ''), 'generated_at is not in UTC');
  }),
  L0.should('A79', '9.2', 'A bearer credential, OAuth 2 or mutual TLS is required', async (trial) => {
    const path = `${projectPath(trial.project)}/packages`;
    const { status } = await trial.target.send('GET', path, undefined, { token: null });
    assert([401, 403].includes(status), `packages are shown without a credential (${status})`);
  }),
  L0.should('A80', '9.3', 'Traffic beyond loopback is encrypted', async (trial) => {
    const { protocol, hostname } = new URL(trial.target.url);
    if (/^(127\.|localhost$|\[::1\]$)/.test(hostname)) throw new Skip('the server is on loopback');
    assertEqual(protocol, 'https:', 'the scheme');
  }),
  L0.should('A81', '10.2', 'Four capabilities are declared', async (trial) => {
    const { json } = await trial.get('/v1/conformance');
    for (const name of ['hybrid_search', 'semantic_search', 'realtime', 'blob_storage'])
      assertEqual(typeof json?.capabilities?.[name], 'boolean', `capabilities.${name}`);
  }),
  L0.should('A83', '11.5', 'A descriptor is published', async (trial) => {
    const { json, status } = await trial.get('/v1/conformance');
    assertEqual(status, 200, 'status');
    assert(/^L[0-3]$/.test(json?.conformance_level ?? ''), 'no conformance_level');
    assert(json?.implementation?.name && json.implementation.version, 'no implementation');
  }),
  L0.should('A86', '12.4', 'The protocol version is published', async (trial) => {
    const { json } = await trial.get('/v1/conformance');
    assertEqual(json?.protocol_version, '0.1', 'protocol_version');
  }),
  L0.should('A76', '5.5', 'A session has its fields and a callsign', async (trial) => {
    await trial.deposited();
    const reply = await trial.target.send('POST', `${projectPath(trial.project)}/sessions`, {});
    if (reply.status === 404 || reply.status === 405) throw new Skip('the server has no sessions');
    const { json } = reply;
    for (const name of ['session_id', 'project_id', 'actor_id', 'actor_type', 'started_at'])
      assert(typeof json?.[name] === 'string', `no ${name}`);
    assert(/^[a-z]+-[a-z]+/.test(json.callsign ?? ''), `no callsign: ${json.callsign}`);
    assertEqual(json.ended_at, null, 'ended_at of an active session');
    assertEqual(json.packages_deposited, [], 'packages_deposited');
  }),
];
