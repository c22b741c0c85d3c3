/**
 * How often the right session or turn is among the first memories that an agent is given: the whole way of a recall, each
 * question asked on its own day. In parts: `for n in 1 2 3 4; do BATON_BENCH_PART=$n/4 npm run bench -- memory-retrieval; done`
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchCase } from '../harness.ts';
import { agent, type BenchWorld, openBenchWorld } from '../memory/world.ts';
import { corporaFolder, readLoCoMo, readLongMemEval, type Session } from '../retrieval/corpora.ts';
import { inPart, keepPart, partAsked } from '../retrieval/parts.ts';
import { factsOf, OURS, Scores, type ScoresData } from '../retrieval/scores.ts';

const CONTENT = 2000;
const DAY = 86_400_000_000;
const RESULTS = join(dirname(fileURLToPath(import.meta.url)), '..', 'results', 'memory-retrieval-parts');
const reader = agent('reader');

interface PartResult {
  readonly all: ScoresData;
  readonly session: ScoresData;
  readonly turn: ScoresData;
}

export const benchCase: BenchCase = {
  name: 'memory-retrieval',
  title: 'Memory: recall on the development sets of LongMemEval and LoCoMo, through `memory.recall`',
  async prepare() {
    const questions = readLongMemEval(corporaFolder());
    const conversations = readLoCoMo(corporaFolder());
    if (questions === undefined || conversations === undefined) {
      throw new Error(`The corpora are not in ${corporaFolder()}; set BATON_CORPORA to their folder.`);
    }
    const part = partAsked();
    const today = { micros: Date.now() * 1000 };
    // It goes on from each reading: limits and policies count by it too.
    const world = await openBenchWorld({ now: () => (today.micros += 1_000) });
    try {
      const scores = { all: new Scores(), session: new Scores(), turn: new Scores() };
      for (const { id, type, question, askedAt, gold, sessions } of inPart(questions, part)) {
        today.micros = askedAt;
        const profile = await remember(world, id, sessions);
        const found = await recall(world, profile, question);
        scores.all.question(id, type);
        scores.all.add(OURS, distinct(found.map(sessionOf(sessions))), gold);
      }
      for (const { id, sessions, questions: asked } of inPart(conversations, part)) {
        today.micros = Math.max(...sessions.map(({ micros }) => micros)) + DAY;
        const profile = await remember(world, id, sessions);
        const turnOf = (ref: string) => {
          const [session, turn] = ref.split(' ').map(Number) as [number, number];
          return sessions[session]?.turnIds[turn] ?? '';
        };
        for (const { question, evidence } of asked) {
          const found = await recall(world, profile, question);
          const gold = new Set([...evidence].map((turn) => turn.split(':')[0] ?? ''));
          for (const each of [scores.session, scores.turn]) each.question(id, '');
          scores.session.add(OURS, distinct(found.map(sessionOf(sessions))), gold);
          scores.turn.add(OURS, distinct(found.map(turnOf)), evidence);
        }
      }
      const kept = keepPart<PartResult>(RESULTS, fileURLToPath(import.meta.url), part, {
        all: scores.all.data,
        session: scores.session.data,
        turn: scores.turn.data,
      });
      if (kept.missing.length > 0) console.log(`Parts that are missing: ${kept.missing.join(', ')}`);
      const scoresOf = (set: keyof PartResult) => Scores.of(kept.parts.map((one) => one[set]));
      return {
        facts: [
          ...factsOf('LongMemEval ALL', scoresOf('all'), { any5: 98.5, all5: 91 }),
          ...factsOf('LoCoMo session', scoresOf('session'), { any5: 94 }),
          ...factsOf('LoCoMo turn', scoresOf('turn'), { any5: 68, any10: 78 }),
        ],
      };
    } finally {
      await world.close();
    }
  },
};

const distinct = (names: readonly string[]) => [...new Set(names)];
const sessionOf = (sessions: readonly Session[]) => (ref: string) =>
  sessions[Number(ref.split(' ')[0])]?.id ?? '';

/** Every turn an episode of its session; what is longer than a memory may be becomes several. */
async function remember({ call }: BenchWorld, name: string, sessions: readonly Session[]): Promise<string> {
  const id = `did:a2p:user:bench:${name.replace(/[^\w.-]/g, '-')}`;
  const episodes = sessions.flatMap(({ turns, micros }, session) =>
    turns.flatMap(({ speaker, text }, turn) =>
      pieces(speaker === 'user' || speaker === 'assistant' ? text : `${speaker}: ${text}`).map((content) => ({
        content,
        category: 'a2p:context',
        source: {
          type: 'user_import',
          sessionId: `${session} ${turn}`,
          timestamp: new Date(micros / 1000).toISOString(),
        },
      })),
    ),
  );
  await call('memory.profile.import', {
    document: {
      id,
      memories: { 'a2p:episodic': episodes },
      accessPolicies: [
        { id: 'policy_1', agentPattern: '*', permissions: ['read_scoped'], allow: ['a2p:context'] },
      ],
    },
  });
  return id;
}

function pieces(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += CONTENT) parts.push(text.slice(at, at + CONTENT));
  return parts;
}

async function recall({ call }: BenchWorld, profile: string, question: string): Promise<string[]> {
  const query = question.slice(0, CONTENT);
  const { memories } = await call('memory.recall', { profile, query, limit: 100 }, reader);
  return memories.map(({ memory }: { memory: { source: { sessionId: string } } }) => memory.source.sessionId);
}
