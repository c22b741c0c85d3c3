import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type App, openApp } from '../../src/app/compose.ts';
import { type Server, serveApp } from '../../src/app/serve.ts';
import { readSettings } from '../../src/app/settings.ts';
import { readDocument } from '../../src/kernel/json/reader.ts';
import { packageTexts } from '../context/package-text.mjs';
import { type BenchCase, type Fact, median, quantile, type Side } from '../harness.ts';

const BATCH = 64;
const ROUND = 640;
const LARGE = Number(process.env.BENCH_PACKAGES ?? 100_000);
const SMALL = 1_000;
/** Whole batches. */
const SMALL_DEPOSITED = Math.ceil(SMALL / BATCH) * BATCH;
const QUERIES = ['ledger', 'review', 'schema', 'token', 'window'];

const owner = {
  actor: { id: 'bench', type: 'agent' as const },
  scopes: new Set(['*']),
  projects: 'all' as const,
  defaultProject: 'default',
  credential: { kind: 'owner' as const, id: 'bench' },
  owner: true,
  speaksFor: ['*'],
  present: false,
};

const packageText = packageTexts('bench');

function depositTo(app: App, project: string): Promise<unknown> {
  const bound = app.registry.get('packages.deposit');
  if (!bound) throw new Error('there is no deposit');
  return app.dispatcher.call(bound, {
    principal: owner,
    parts: {
      path: { project_id: project },
      query: {},
      headers: {},
      document: readDocument(packageText(project)),
    },
    requestId: 'bench',
    signal: new AbortController().signal,
  });
}

async function inBatches(count: number, work: () => Promise<unknown>): Promise<number> {
  for (let done = 0; done < count; done += BATCH) await Promise.all(Array.from({ length: BATCH }, work));
  return count;
}

/** The same rows and the same index by hand: no validation, no canonical form, no rules, one unit to a batch. */
function byHand(app: App): Side {
  let chain: string | undefined;
  return async () => {
    for (let done = 0; done < ROUND; done += BATCH) {
      await app.db.write(async (uow) => {
        chain ??= (await app.identity.standingSession(uow, 'default', owner.actor)).sessionId;
        for (let i = 0; i < BATCH; i += 1) {
          const text = packageText('default');
          const given = JSON.parse(text);
          await uow.run(
            `insert into packages (project_id, package_id, original, deposit_hash, content_hash, body_hash, status,
               review_type, package_type, title, created_at, created_us, author_id, author_type, session_id, significance,
               handoff, deposited_us)
             values (?, ?, ?, ?, ?, ?, 'complete', 'none', 'standard', ?, ?, ?, 'bench', 'agent', null, 5, 1, 0)`,
            [
              'default',
              given.package_id,
              text,
              'h',
              'h',
              'h',
              given.title,
              given.created_at,
              Date.parse(given.created_at) * 1000,
            ],
          );
          app.search.index(uow, {
            projectId: 'default',
            collection: 'package',
            id: given.package_id,
            fields: ['title', 'description', 'handoff_note'].map((name) => ({ name, text: given[name] })),
            time: Date.parse(given.created_at) * 1000,
          });
          await app.journal.append(uow, {
            chain: { sessionId: chain, kind: 'ledger' },
            type: 'package.deposited',
            payload: { package_id: given.package_id, content_hash: 'h' },
          });
        }
      });
    }
    return ROUND;
  };
}

/** The bundle of a case stands as deep in the checkout as this file. */
function startClients(): ChildProcess {
  const clients = fork(join(dirname(fileURLToPath(import.meta.url)), '..', 'context', 'clients.mjs'));
  clients.on('exit', (code) => code && clients.emit('error', new Error(`the clients ended with ${code}`)));
  return clients;
}

function overHttp(children: ChildProcess, server: Server, token: string, clients: number): Side {
  const count = clients === 1 ? ROUND / 10 : ROUND * 2;
  return async () => {
    children.send({ urls: [server.url], token, clients, count });
    await once(children, 'message');
    return count;
  };
}

async function times(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const started = performance.now();
    await work();
    taken.push(performance.now() - started);
  }
  return taken;
}

export const benchCase: BenchCase = {
  name: 'context',
  title: 'Context: deposits, reads, orientation and search',
  async prepare() {
    const dataDir = await mkdtemp(join(tmpdir(), 'baton-bench-'));
    const settings = readSettings({ BATON_DATA: dataDir, BATON_PORT: '0' });
    const app = await openApp(settings);
    const server = await serveApp(app, settings);
    const token = (await readFile(join(dataDir, 'owner.key'), 'utf8')).trim();
    const get = async (path: string) => {
      const response = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      if (response.status !== 200) throw new Error(await response.text());
      return response.arrayBuffer();
    };
    await inBatches(SMALL, () => depositTo(app, 'small'));
    const id = `pkg_bench_${SMALL_DEPOSITED + 1}`;
    await inBatches(LARGE, () => depositTo(app, 'large'));
    const orientSmall = median(await times(30, () => get('/v1/projects/small/orient')));
    const orientLarge = median(await times(30, () => get('/v1/projects/large/orient')));
    const reads = await times(200, () => get(`/v1/projects/large/packages/${id}`));
    let searched = 0;
    const searches = await times(60, () =>
      get(`/v1/projects/large/packages?mode=relevant&query=${QUERIES[searched++ % QUERIES.length]}+budget`),
    );
    const clients = startClients();
    const facts: Fact[] = [
      { name: 'orient, 1,000 packages', value: orientSmall, unit: 'ms' },
      {
        name: `orient, ${LARGE} packages`,
        value: orientLarge,
        unit: 'ms',
        goal: { text: 'no slower than twice the time on 1,000', met: orientLarge <= 2 * orientSmall },
      },
      { name: 'point read p50', value: median(reads), unit: 'ms' },
      { name: 'point read p99', value: quantile(reads, 0.99), unit: 'ms' },
      { name: `search p50, ${LARGE} packages`, value: median(searches), unit: 'ms' },
    ];
    return {
      facts,
      comparisons: [
        {
          title: `Durable deposits, ${BATCH} at a time`,
          unit: 'packages',
          sides: {
            baton: () => inBatches(ROUND, () => depositTo(app, 'default')),
            'by hand, the same rows and index': byHand(app),
          },
          goals: [
            {
              text: 'at least half the rate of writing the rows by hand',
              met: (rates) => rates.baton! >= 0.5 * rates['by hand, the same rows and index']!,
            },
          ],
        },
        {
          title: 'Deposits of 1 kB over HTTP',
          unit: 'packages',
          sides: {
            '64 clients': overHttp(clients, server, token, 64),
            '16 clients': overHttp(clients, server, token, 16),
            '1 client': overHttp(clients, server, token, 1),
          },
          goals: [{ text: '1,500 packages/s with 64 clients', met: (rates) => rates['64 clients']! >= 1500 }],
        },
      ],
      async close() {
        clients.kill();
        await server.close();
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  },
};
