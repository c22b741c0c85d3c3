/** Retrieval as a user has it: conversations deposited as packages over HTTP, questions asked over HTTP. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { RecallTally } from '../retrieval/tally.ts';

const AT_ONCE = 16;

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
      const longMemEval = new RecallTally();
      for (const question of questions) {
        longMemEval.add(['overall', question.type], await foundFor(api, question), question.gold);
      }
      const loCoMo = new RecallTally();
      for (const { id, sessions, questions: asked } of conversations) {
        await depositAll(api, `locomo-${id}`, sessions);
        const until = Math.max(...sessions.map(({ micros }) => micros)) + 1;
        for (const { question, evidence } of asked) {
          const found = await api.ask(`locomo-${id}`, question, until);
          const gold = new Set([...evidence].map((turn) => turn.split(':')[0] ?? ''));
          loCoMo.add(
            ['overall'],
            found.map((number) => sessions[number]?.id ?? ''),
            gold,
          );
        }
      }
      const { overall, ...types } = longMemEval.results();
      if (overall === undefined) throw new Error('There were no questions.');
      return {
        facts: [
          goal('LongMemEval: any@5', overall.any5, 97),
          goal('LongMemEval: all@5', overall.all5, 84.6),
          { name: 'LongMemEval: any@10', value: overall.any10, unit: '%' },
          ...Object.entries(types).map(([type, recall]) => ({
            name: `LongMemEval, ${type} (${recall.questions}): all@5`,
            value: recall.all5,
            unit: '%',
          })),
          { name: 'LoCoMo, by session: any@5', value: loCoMo.results().overall?.any5 ?? 0, unit: '%' },
          { name: 'LoCoMo, by session: all@5', value: loCoMo.results().overall?.all5 ?? 0, unit: '%' },
        ],
      };
    } finally {
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

/** The public claims to beat. */
function goal(name: string, value: number, claim: number) {
  return { name, value, unit: '%', goal: { text: `more than ${claim}`, met: value > claim } };
}

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
