import { type Check, demand, demandEqual, Skip } from '../check.ts';
import { codeOf, demandError, listOf, said } from '../trial.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

export const readingChecks: readonly Check[] = [
  {
    id: 'A44',
    level: 'L0',
    weight: 'MUST',
    section: '8.2',
    title: 'latest is newest first by instant, 5 unless asked otherwise',
    async run(trial) {
      const project_id = trial.projectNamed('latest');
      const times = [
        '00:00:00Z',
        '00:00:00.5Z',
        '00:00:01+00:00',
        '00:00:00.25Z',
        '00:00:02Z',
        '00:00:03Z',
        '00:00:04Z',
      ];
      const ids = new Map<string, string>();
      for (const time of times) {
        const body = await trial.deposited({ project_id, created_at: `2026-01-01T${time}` });
        ids.set(body.package_id, time);
      }
      const list = async (query: string) =>
        listOf(
          await trial.target.get(`${trial.projectPath(project_id)}/packages?mode=latest${query}`),
          'packages',
        ).map((one) => ids.get(one.package_id));
      const order = [
        '00:00:04Z',
        '00:00:03Z',
        '00:00:02Z',
        '00:00:01+00:00',
        '00:00:00.5Z',
        '00:00:00.25Z',
        '00:00:00Z',
      ];
      demandEqual(await list(''), order.slice(0, 5), 'the latest five');
      demandEqual(await list('&limit=7'), order, 'the latest seven');
      demandEqual(await list('&limit=1'), order.slice(0, 1), 'the latest one');
    },
  },
  {
    id: 'A45',
    level: 'L0',
    weight: 'MUST',
    section: '8.2',
    title: 'specific is the one package, or 404',
    async run(trial) {
      const body = await trial.deposited();
      demandEqual((await trial.read(body.package_id)).json?.package_id, body.package_id, 'the package');
      const missing = await trial.target.get(`/v1/packages/${trial.freshId('missing')}`);
      demandError(missing, 404, 'package_not_found');
    },
  },
  {
    id: 'A46',
    level: 'L0',
    weight: 'MUST',
    section: '8.2',
    title: 'relevant ranks, or names the missing capability',
    async run(trial) {
      const body = await trial.deposited({ title: 'Migrated the aardvark cluster to quartz storage' });
      await trial.deposited({ title: 'Watered the plants' });
      const path = `${trial.projectPath(trial.project)}/packages?mode=relevant&query=aardvark+quartz`;
      const reply = await trial.target.get(path);
      if (reply.status === 501) {
        demand(
          ['search_not_supported', 'not_implemented'].includes(codeOf(reply)),
          `another code: ${said(reply)}`,
        );
        demand(
          /semantic_search|hybrid_search/.test(reply.text),
          'the 501 does not name the missing capability',
        );
        return;
      }
      demandEqual(listOf(reply, 'packages')[0]?.package_id, body.package_id, 'the best match');
    },
  },
  {
    id: 'A47',
    level: 'L0',
    weight: 'MUST',
    section: '8.3',
    title: 'orient answers the six parts',
    async run(trial) {
      await trial.deposited();
      const { json, status } = await trial.target.get(`${trial.projectPath(trial.project)}/orient`);
      demandEqual(status, 200, 'status');
      demand(typeof json?.project === 'object' && json.project !== null, 'no project');
      for (const name of ['recent_packages', 'active_facts', 'open_questions']) {
        demand(Array.isArray(json[name]), `${name} is no list`);
      }
      demand(typeof json.window_days === 'number', 'no window_days');
      demand(!Number.isNaN(Date.parse(json.generated_at)), 'no generated_at');
    },
  },
  {
    id: 'A48',
    level: 'L0',
    weight: 'MUST',
    section: '8.3',
    title: 'The window is 14 days unless asked otherwise, and is kept',
    async run(trial) {
      const project_id = trial.projectNamed('window');
      const fresh = await trial.deposited({ project_id });
      const old = await trial.deposited({ project_id, created_at: daysAgo(20) });
      const orient = async (query: string) =>
        (await trial.target.get(`${trial.projectPath(project_id)}/orient${query}`)).json;
      const ids = (bundle: { recent_packages: { package_id: string }[] }) =>
        bundle.recent_packages.map((one) => one.package_id);
      const usual = await orient('');
      demandEqual([usual.window_days, ids(usual)], [14, [fresh.package_id]], 'the usual window');
      const wide = await orient('?window_days=30');
      demandEqual(
        [wide.window_days, ids(wide)],
        [30, [fresh.package_id, old.package_id]],
        'a window of 30 days',
      );
    },
  },
  {
    id: 'A50',
    level: 'L0',
    weight: 'MUST',
    section: '8.3',
    title: 'Open questions come from the recent packages',
    async run(trial) {
      const project_id = trial.projectNamed('questions');
      await trial.deposited({ project_id, open_questions: ['Why is the sky blue?'] });
      await trial.deposited({ project_id, created_at: daysAgo(90), open_questions: ['Long forgotten?'] });
      const { json } = await trial.target.get(`${trial.projectPath(project_id)}/orient`);
      demandEqual(json?.open_questions, ['Why is the sky blue?'], 'open_questions');
    },
  },
  {
    id: 'A35',
    level: 'L1',
    weight: 'SHOULD',
    section: '5.3',
    title: 'A draft is seen by its author, and by nobody else',
    async run(trial) {
      const other = trial.requireOther();
      const project_id = trial.projectNamed('drafts');
      const draft = await trial.deposited({
        project_id,
        status: 'draft',
        created_by: { ...other },
        open_questions: ['Unripe?'],
      });
      await trial.deposited({ project_id });
      for (const path of [
        `${trial.projectPath(project_id)}/packages?mode=latest&limit=50`,
        `${trial.projectPath(project_id)}/orient`,
        `/v1/orchestrate?project=${encodeURIComponent(project_id)}`,
      ]) {
        const reply = await trial.target.get(path);
        const leaks = reply.text.includes(draft.package_id) || reply.text.includes('Unripe?');
        demand(!leaks, `another actor's draft is shown at ${path}`);
      }
    },
  },
  {
    id: 'A51',
    level: 'L0',
    weight: 'MAY',
    section: '8.4',
    title: 'orchestrate answers its parts for one project and for all',
    async run(trial) {
      const body = await trial.deposited({ title: 'The walrus was tuned' });
      const path = `/v1/orchestrate?project=${encodeURIComponent(trial.project)}`;
      const reply = await trial.target.get(`${path}&focus=walrus`);
      if (reply.status === 404 || reply.status === 501) throw new Skip('orchestrate is not offered');
      for (const name of ['active_facts', 'open_questions', 'snippets']) {
        demand(Array.isArray(reply.json?.[name]), `${name} is no list: ${said(reply)}`);
      }
      demand(reply.json.summary !== undefined, 'no summary');
      demand(
        reply.json.snippets.some((one: { package_id: string }) => one.package_id === body.package_id),
        'the snippets are not near the focus',
      );
      demand((await trial.target.get('/v1/orchestrate')).status === 200, 'no digest over all projects');
    },
  },
  {
    id: 'A77',
    level: 'L0',
    weight: 'SHOULD',
    section: '9.1',
    title: 'Operations stand at the recommended paths',
    async run(trial) {
      await trial.deposited();
      const base = trial.projectPath(trial.project);
      for (const path of [`${base}/packages?mode=latest`, `${base}/orient`, `${base}/facts`]) {
        demandEqual((await trial.target.get(path)).status, 200, path);
      }
    },
  },
  {
    id: 'A78',
    level: 'L0',
    weight: 'MUST',
    section: '9.1',
    title: 'Answers are JSON with UTC times',
    async run(trial) {
      await trial.deposited();
      const reply = await trial.target.get(`${trial.projectPath(trial.project)}/orient`);
      demand(
        /^application\/json/.test(reply.headers.get('content-type') ?? ''),
        'the content type is not JSON',
      );
      demand(/(Z|\+00:00)$/i.test(reply.json?.generated_at ?? ''), 'generated_at is not in UTC');
    },
  },
  {
    id: 'A79',
    level: 'L0',
    weight: 'SHOULD',
    section: '9.2',
    title: 'A bearer credential, OAuth 2 or mutual TLS is asked for',
    async run(trial) {
      const reply = await trial.target.bare('GET', `${trial.projectPath(trial.project)}/packages`);
      demand([401, 403].includes(reply.status), `packages are shown without a credential (${reply.status})`);
    },
  },
  {
    id: 'A80',
    level: 'L0',
    weight: 'SHOULD',
    section: '9.3',
    title: 'Traffic beyond loopback is encrypted',
    async run(trial) {
      const { protocol, hostname } = new URL(trial.target.url);
      if (/^(127\.|localhost$|\[::1\]$)/.test(hostname)) throw new Skip('the server is on loopback');
      demandEqual(protocol, 'https:', 'the scheme');
    },
  },
  {
    id: 'A81',
    level: 'L0',
    weight: 'SHOULD',
    section: '10.2',
    title: 'Four capabilities are declared',
    async run(trial) {
      const { json } = await trial.target.get('/v1/conformance');
      for (const name of ['hybrid_search', 'semantic_search', 'realtime', 'blob_storage']) {
        demandEqual(typeof json?.capabilities?.[name], 'boolean', `capabilities.${name}`);
      }
    },
  },
  {
    id: 'A83',
    level: 'L0',
    weight: 'SHOULD',
    section: '11.5',
    title: 'A descriptor is published',
    async run(trial) {
      const { json, status } = await trial.target.get('/v1/conformance');
      demandEqual(status, 200, 'status');
      demand(/^L[0-3]$/.test(json?.conformance_level ?? ''), 'no conformance_level');
      demand(json?.implementation?.name && json.implementation.version, 'no implementation');
    },
  },
  {
    id: 'A86',
    level: 'L0',
    weight: 'SHOULD',
    section: '12.4',
    title: 'The version of the protocol is published',
    async run(trial) {
      demandEqual(
        (await trial.target.get('/v1/conformance')).json?.protocol_version,
        '0.1',
        'protocol_version',
      );
    },
  },
  {
    id: 'A76',
    level: 'L0',
    weight: 'SHOULD',
    section: '5.5',
    title: 'A session has its fields and a callsign',
    async run(trial) {
      await trial.deposited();
      const reply = await trial.target.send('POST', `${trial.projectPath(trial.project)}/sessions`, {});
      if (reply.status === 404 || reply.status === 405) throw new Skip('the server has no sessions');
      const { json } = reply;
      for (const name of ['session_id', 'project_id', 'actor_id', 'actor_type', 'started_at']) {
        demand(typeof json?.[name] === 'string', `no ${name}`);
      }
      demand(/^[a-z]+-[a-z]+/.test(json.callsign ?? ''), `no callsign: ${json.callsign}`);
      demandEqual(json.ended_at, null, 'ended_at of an active session');
      demandEqual(json.packages_deposited, [], 'packages_deposited');
    },
  },
];
