import { describe, expect, test } from 'vitest';
import { unitsOf } from './conversations.ts';
import { asksForFeedback, chooseFeedback, feedbackWeights } from './feedback.ts';
import { asksOfSelf } from './own-words.ts';
import { type Candidate, rankMembers, rankUnits, worthsByUnits } from './ranking.ts';
import { scoreText } from './text-score.ts';

const MINUTE = 60_000_000;
const AVERAGES = { document: 10, passage: 10 };
const QUERY = { periods: [], ofSelf: false, floor: 0.4, apart: false, averages: AVERAGES };

function counts(rows: readonly (readonly number[])[], ownWords: readonly number[] = rows.map(() => 0)) {
  return {
    weights: rows.map(() => 1),
    lengths: rows.map(() => 10),
    ownWords,
    frequencies: Float64Array.from(rows.flat()),
  };
}

function candidate(doc: number, minute: number | null, rows: readonly (readonly number[])[]): Candidate {
  const time = minute === null ? null : minute * MINUTE;
  return { doc, space: 1, time, passages: rows.length, counts: counts(rows), cosine: Number.NaN };
}

function order(candidates: readonly Candidate[], worths: readonly number[]): number[] {
  const units = rankUnits(candidates, worths, QUERY);
  const ranked = rankMembers(candidates, worths, QUERY, units);
  return candidates
    .map(({ doc }, at) => ({ doc, score: ranked[at]?.score ?? -1 }))
    .filter(({ score }) => score >= 0)
    .sort((a, b) => b.score - a.score)
    .map(({ doc }) => doc);
}

describe('conversations', () => {
  const placed = (doc: number, minute: number | null, passages = 1, space = 1) => ({
    doc,
    space,
    time: minute === null ? null : minute * MINUTE,
    passages,
  });

  test('turns within minutes of each other are one, in the order they were written down', () => {
    expect(unitsOf([placed(3, 5), placed(1, 5), placed(2, 60), placed(4, 9)])).toEqual([[1, 0, 3], [2]]);
  });

  test('long documents, other spaces and what has no time stand alone', () => {
    const each = [placed(1, 1), placed(2, 1, 5), placed(3, 1, 1, 2), placed(4, null), placed(5, null)];
    expect(unitsOf(each).every((members) => members.length === 1)).toBe(true);
  });

  test('where turns share their instants, another instant is another conversation, however near', () => {
    const sessions = [placed(1, 5), placed(2, 5), placed(3, 5), placed(4, 9), placed(5, 9), placed(6, 9)];
    expect(unitsOf(sessions)).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
    // Another project's, whose turns have instants of their own.
    const talk = [placed(7, 5, 1, 2), placed(8, 6, 1, 2), placed(9, 9, 1, 2)];
    expect(unitsOf([...sessions, ...talk])).toEqual([
      [0, 1, 2],
      [3, 4, 5],
      [6, 7, 8],
    ]);
  });

  test('an import of hundreds at one instant is none', () => {
    expect(unitsOf(Array.from({ length: 101 }, (_, doc) => placed(doc, 1)))).toHaveLength(101);
  });
});

describe('ranking', () => {
  test('of two equal turns the one goes first whose neighbour speaks of the same', () => {
    const asked = [
      candidate(1, 0, [[1, 0]]),
      candidate(2, 0, [[0, 1]]),
      candidate(3, 90, [[1, 0]]),
      candidate(4, 90, [[0, 0]]),
    ];
    const [first, second, third, ...rest] = order(asked, [1, 1]);
    expect([first, second].sort()).toEqual([1, 2]);
    expect(third).toBe(3);
    // It has nothing of its own.
    expect(rest).toEqual([]);
  });

  test('documents that stand alone are ranked by themselves', () => {
    const asked = [candidate(1, null, [[1, 0]]), candidate(2, null, [[1, 1]])];
    expect(order(asked, [1, 1])).toEqual([2, 1]);
  });

  test('a passage beside another that matches is worth more than one that stands apart', () => {
    const beside = scoreText(counts([[1], [1], [0]]), [1], AVERAGES);
    const apart = scoreText(counts([[1], [0], [1]]), [1], AVERAGES);
    expect(beside.passage).toBeGreaterThan(apart.passage);
    expect(beside.document).toBe(apart.document);
  });

  test('only passages in which somebody tells of themselves are personal', () => {
    expect(scoreText(counts([[1], [0]], [1, 0]), [1], AVERAGES).personal).toBeGreaterThan(0);
    expect(scoreText(counts([[1], [0]], [0, 1]), [1], AVERAGES).personal).toBe(0);
    expect(asksOfSelf('What did I buy for my sister?')).toBe(true);
    expect(asksOfSelf('What did Caroline buy?')).toBe(false);
  });
});

describe('the worth of a term by conversations', () => {
  const QUERY_APART = { apart: true };
  // The first term is in one turn of each conversation, the second in every turn of one.
  const turns = [0, 90, 180].flatMap((minute, session) =>
    [0, 1, 2].map((at) =>
      candidate(1 + session * 3 + at, minute, [[at === 0 ? 1 : 0, session === 0 ? 1 : 0]]),
    ),
  );

  test('is that of its conversations: one that all of them have tells them apart no more', () => {
    // Among the nine turns both are equally rare.
    const [everywhere = 0, once = 0] = worthsByUnits(turns, [1, 1], QUERY);
    expect(once).toBeGreaterThan(2 * everywhere);
    expect(everywhere).toBeGreaterThan(0);
  });

  test('is estimated where the candidates are a part of all documents', () => {
    const few = worthsByUnits(turns, [1, 1], QUERY, { documents: 900, withTerm: [3, 3] });
    const many = worthsByUnits(turns, [1, 1], QUERY, { documents: 900, withTerm: [300, 3] });
    expect(few[0]).toBeGreaterThan(many[0] as number);
    expect(few[1]).toBe(many[1]);
    // As many documents as there are, and more than that by the estimate: never less than nothing.
    const all = worthsByUnits(turns, [1, 1], QUERY, { documents: 9, withTerm: [9, 9] });
    for (const worth of all) expect(worth).toBeGreaterThan(0);
  });

  test('is as it was given where nothing was said in one go, and for a term that no candidate has', () => {
    expect(worthsByUnits(turns, [0.5, 2], QUERY_APART)).toEqual([0.5, 2]);
    const without = turns.map((one) => ({ ...one, counts: counts([[1, 0]]) }));
    expect(worthsByUnits(without, [1, 7], QUERY)[1]).toBe(7);
  });
});

describe('feedback', () => {
  const unit = (score: number, terms: Readonly<Record<number, number>>) => ({
    score,
    length: 10,
    frequencies: new Map(Object.entries(terms).map(([term, count]) => [Number(term), count])),
  });

  test.each([
    'How many tanks do I currently have?',
    'What is the total cost of the tyres and the lamp?',
    'Which bike did I buy first, the red or the blue one?',
    'List the decisions about storage',
    'How long was it between the two trips?',
  ])('is for who needs several documents: %s', (query) => {
    expect(asksForFeedback(query, 3)).toBe(true);
  });

  test.each([
    'What did Caroline buy for her sister?',
    'When did we move the database?',
    'the last release of the parser',
  ])('is not for who needs one: %s', (query) => {
    expect(asksForFeedback(query, 3)).toBe(false);
  });

  test('a search for one or two words is meant literally', () => {
    expect([1, 2, 3].map((terms) => asksForFeedback('how many boats', terms))).toEqual([false, false, true]);
  });

  test('takes what two units share, the better unit weighing more', () => {
    const weights = feedbackWeights(
      [unit(3, { 1: 1, 2: 1 }), unit(1, { 2: 1, 3: 5 }), unit(1, { 1: 1 })],
      true,
    );
    expect(weights.map(({ term }) => term)).toEqual([1, 2]);
  });

  test('words that one document alone has are left out, and all together weigh no more than the question', () => {
    const word = (name: string, documents: number) => ({ word: name, weight: 1, documents, worth: 2 });
    const chosen = chooseFeedback([word('oven', 3), word('flour', 1), word('bread', 2)], 10);
    expect([...chosen.keys()].sort()).toEqual(['bread', 'oven']);
    expect([...chosen.values()].reduce((sum, worth) => sum + worth, 0)).toBeCloseTo(10);
  });
});
