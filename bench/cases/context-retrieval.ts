/**
 * Retrieval as a user has it: conversations deposited as packages over HTTP, questions asked over HTTP.
 * In parts: `for n in 1 2 3 4; do BATON_BENCH_PART=$n/4 npm run bench -- context-retrieval; done`
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApp } from '../../src/app/compose.ts';
import { serveApp } from '../../src/app/serve.ts';
import { readSettings } from '../../src/app/settings.ts';
import type { BenchCase } from '../harness.ts';
import {
  corporaFolder,
  type LongMemEvalQuestion,
  readLoCoMo,
  readLongMemEval,
  type Session,
} from '../retrieval/corpora.ts';
import { inPart, keepPart, partAsked } from '../retrieval/parts.ts';
import { factsOf, OURS, Scores, type ScoresData } from '../retrieval/scores.ts';

const AT_ONCE = 16;
const RESULTS = join(dirname(fileURLToPath(import.meta.url)), '..', 'results', 'context-retrieval-parts');

interface PartResult {
  readonly all: ScoresData;
  readonly session: ScoresData;
}

interface Api {
  deposit(project: string, session: Session, number: number): Promise<void>;
  /** The numbers of the sessions found, best first. */
  ask(project: string, question: string, until: number): Promise<number[]>;
}

export const benchCase: BenchCase = {
  name: 'context-retrieval',
  title: 'Context: recall of deposited conversations, through the HTTP API',
  async prepare() {
    const questions = readLongMemEval(corporaFolder());
    const conversations = readLoCoMo(corporaFolder());
    if (questions === undefined || conversations === undefined) {
      throw new Error(`The corpora are not in ${corporaFolder()}; set BATON_CORPORA to their folder.`);
    }
    const dataDir = await mkdtemp(join(tmpdir(), 'baton-bench-'));
    const settings = readSettings({ BATON_DATA: dataDir, BATON_PORT: '0' });
    const app = await openApp(settings);
    const server = await serveApp(app, settings);
    try {
      const api = apiOf(server.url, (await readFile(join(dataDir, 'owner.key'), 'utf8')).trim());
      const part = partAsked();
      const scores = { all: new Scores(), session: new Scores() };
      for (const question of inPart(questions, part)) {
        scores.all.question(question.id, question.type);
        scores.all.add(OURS, await foundFor(api, question), question.gold);
      }
      for (const { id, sessions, questions: asked } of inPart(conversations, part)) {
        await depositAll(api, `locomo-${id}`, sessions);
        const until = Math.max(...sessions.map(({ micros }) => micros)) + 1;
        for (const { question, evidence } of asked) {
          const found = await api.ask(`locomo-${id}`, question, until);
          scores.session.question(id, '');
          scores.session.add(
            OURS,
            found.map((number) => sessions[number]?.id ?? ''),
            new Set([...evidence].map((turn) => turn.split(':')[0] ?? '')),
          );
        }
      }
      const kept = keepPart<PartResult>(RESULTS, fileURLToPath(import.meta.url), part, {
        all: scores.all.data,
        session: scores.session.data,
      });
      if (kept.missing.length > 0) console.log(`Parts that are missing: ${kept.missing.join(', ')}`);
      const scoresOf = (set: keyof PartResult) => Scores.of(kept.parts.map((one) => one[set]));
      return {
        facts: [
          ...factsOf('LongMemEval ALL', scoresOf('all'), { any5: 98.5, all5: 91 }),
          ...factsOf('LoCoMo session', scoresOf('session'), { any5: 94 }),
        ],
      };
    } finally {
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

async function foundFor(api: Api, { id, question, askedAt, sessions }: LongMemEvalQuestion) {
  const project = `longmemeval-${id}`.toLowerCase().replace(/[^a-z0-9-]/g, '-');
  await depositAll(api, project, sessions);
  // Some haystacks are dated after their question.
  const until = Math.max(askedAt, ...sessions.map(({ micros }) => micros + 1));
  return (await api.ask(project, question, until)).map((number) => sessions[number]?.id ?? '');
}

async function depositAll(api: Api, project: string, sessions: readonly Session[]): Promise<void> {
  for (let start = 0; start < sessions.length; start += AT_ONCE) {
    await Promise.all(
      sessions.slice(start, start + AT_ONCE).map((session, at) => api.deposit(project, session, start + at)),
    );
  }
}

function apiOf(url: string, token: string): Api {
  async function call(path: string, init: RequestInit = {}): Promise<unknown> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, { ...init, headers });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  }
  return {
    async deposit(project, { micros, turns }, number) {
      const at = new Date(micros / 1000).toISOString();
      const body = {
        package_id: `${project}-${number}`,
        project_id: project,
        relay_version: '0.1',
        title: `Conversation of ${at.slice(0, 10)}`,
        status: 'complete',
        package_type: 'standard',
        review_type: 'none',
        created_at: at,
        created_by: { id: 'bench', type: 'agent', session_id: null },
        content_md: turns.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n\n'),
      };
      await call(`/v1/projects/${project}/packages`, { method: 'POST', body: JSON.stringify(body) });
    },
    async ask(project, question, until) {
      const query = new URLSearchParams({
        mode: 'relevant',
        query: question.slice(0, 2000),
        limit: '10',
        until: new Date(until / 1000).toISOString(),
      });
      const found = (await call(`/v1/projects/${project}/packages?${query}`)) as { package_id: string }[];
      return found.map(({ package_id }) => Number(package_id.slice(project.length + 1)));
    },
  };
}
