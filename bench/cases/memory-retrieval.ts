/** How often the right session or turn is among the first memories that an agent is given: the whole way of a recall. */
import type { BenchCase, Fact } from '../harness.ts';
import { agent, type BenchWorld, openBenchWorld } from '../memory/world.ts';
import { corporaFolder, readLoCoMo, readLongMemEval, type Session } from '../retrieval/corpora.ts';
import { RecallTally } from '../retrieval/tally.ts';

const QUESTIONS = Number(process.env.BATON_BENCH_QUESTIONS ?? 1_000_000);
const CONTENT = 2000;
const reader = agent('reader');

export const benchCase: BenchCase = {
  name: 'memory-retrieval',
  title: 'Memory: recall on the development sets of LongMemEval and LoCoMo, through `memory.recall`',
  async prepare() {
    const questions = readLongMemEval(corporaFolder());
    const conversations = readLoCoMo(corporaFolder());
    if (questions === undefined || conversations === undefined) {
      console.log(`Skipped: the corpora are not in ${corporaFolder()}; set BATON_CORPORA to their folder.`);
      return {};
    }
    const world = await openBenchWorld();
    try {
      const tallies = {
        'LongMemEval session': new RecallTally(),
        'LoCoMo session': new RecallTally(),
        'LoCoMo turn': new RecallTally(),
      };
      for (const { id, question, gold, sessions } of questions.slice(0, QUESTIONS)) {
        const profile = await remember(world, id, sessions, (session, turn) => `${session} ${turn}`);
        const found = await recall(world, profile, question);
        tallies['LongMemEval session'].add(['overall'], distinct(found.map(sessionOf(sessions))), gold);
      }
      for (const { id, sessions, questions: asked } of conversations) {
        const profile = await remember(world, id, sessions, (session, turn) => `${session} ${turn}`);
        const turnOf = (ref: string) => {
          const [session, turn] = ref.split(' ').map(Number) as [number, number];
          return sessions[session]?.turnIds[turn] ?? '';
        };
        for (const { question, evidence } of asked.slice(0, QUESTIONS)) {
          const found = await recall(world, profile, question);
          const gold = new Set([...evidence].map((turn) => turn.split(':')[0] ?? ''));
          tallies['LoCoMo session'].add(['overall'], distinct(found.map(sessionOf(sessions))), gold);
          tallies['LoCoMo turn'].add(['overall'], distinct(found.map(turnOf)), evidence);
        }
      }
      return { facts: Object.entries(tallies).flatMap(([set, tally]) => factsOf(set, tally)) };
    } finally {
      await world.close();
    }
  },
};

const distinct = (names: readonly string[]) => [...new Set(names)];
const sessionOf = (sessions: readonly Session[]) => (ref: string) =>
  sessions[Number(ref.split(' ')[0])]?.id ?? '';

/** Every turn an episode of its session; what is longer than a memory may be becomes several. */
async function remember(
  { call }: BenchWorld,
  name: string,
  sessions: readonly Session[],
  ref: (session: number, turn: number) => string,
): Promise<string> {
  const id = `did:a2p:user:bench:${name.replace(/[^\w.-]/g, '-')}`;
  const episodes = sessions.flatMap(({ turns, micros }, session) =>
    turns.flatMap(({ speaker, text }, turn) =>
      pieces(speaker === 'user' || speaker === 'assistant' ? text : `${speaker}: ${text}`).map((content) => ({
        content,
        category: 'a2p:context',
        source: {
          type: 'user_import',
          sessionId: ref(session, turn),
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

function factsOf(set: string, tally: RecallTally): Fact[] {
  return Object.values(tally.results()).flatMap((recall) =>
    (['any5', 'all5', 'any10'] as const).map((measure) => ({
      name: `${set} (${recall.questions}): ${measure.replace(/(\d+)$/, '@$1')}`,
      value: recall[measure],
      unit: '%',
    })),
  );
}
