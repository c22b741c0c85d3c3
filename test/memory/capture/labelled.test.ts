/** Sentences of our own, one turn a line: what people say that is worth keeping, and more that is not. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findStatements } from '../../../src/slices/memory/capture/rules/find-statements.ts';

interface Turn {
  readonly text: string;
  /** Where in it the statement is; the whole turn, if nothing is marked. */
  readonly start: number;
  readonly end: number;
}

function turnsIn(name: string): Turn[] {
  const lines = readFileSync(new URL(name, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => {
    const marked = line.replaceAll('\\n', '\n');
    const text = marked.replace(/[«»](?=.*[«»]|[^«»]*$)/g, '');
    const start = Math.max(0, marked.indexOf('«'));
    const end = marked.indexOf('»') < 0 ? text.length : marked.indexOf('»') - 1;
    return { text, start, end };
  });
}

const facts = turnsIn('facts.txt');
const passing = turnsIn('said-once.txt');
const foreign = readFileSync(new URL('not-theirs.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.replaceAll('\\n', '\n'));

it('has at least 400 sentences, half of them traps', () => {
  expect(facts.length).toBeGreaterThanOrEqual(200);
  expect(passing.length + foreign.length).toBeGreaterThanOrEqual(200);
});

it('finds most of what is worth keeping, and little else', () => {
  let right = 0;
  let wrong = 0;
  const missed: string[] = [];
  for (const { text, start, end } of facts) {
    const found = findStatements(text);
    const hits = found.filter((each) => each.start < end && each.end > start);
    if (hits.length > 0) right += 1;
    else missed.push(text);
    wrong += found.length - hits.length;
  }
  const junk = passing.flatMap(({ text }) => findStatements(text).map((each) => `${text} → ${each.text}`));
  const recall = right / facts.length;
  const precision = right / (right + wrong + junk.length);
  expect({ recall, missed }).toMatchObject({ recall: expect.toSatisfy((share: number) => share >= 0.8) });
  expect({ precision, junk }).toMatchObject({
    precision: expect.toSatisfy((share: number) => share >= 0.95),
  });
});

it('takes nothing from what was quoted, pasted, recalled or injected', () => {
  expect(foreign.filter((text) => findStatements(text).length > 0)).toEqual([]);
});

it('takes nothing from any fact once it stands in somebody else’s mouth', () => {
  const said = facts.map(({ text }) => text).filter((text) => !text.includes('"'));
  const frames: readonly ((text: string) => string)[] = [
    (text) => `> ${text}`,
    (text) => `\`\`\`\n${text}\n\`\`\``,
    (text) => `<system-reminder>${text}</system-reminder>`,
    (text) => `<hook_context>\n${text}\n`,
    (text) => `Is this right?\n\nAssistant: Noted.\n${text}`,
    (text) => `What does this mean: “${text.replace(/[“”]/g, '')}”`,
    (text) => `Translate this into Danish.\n\n${text}`,
    (text) => `On Tue, 3 Mar 2026, Lena wrote:\n${text}`,
    (text) => `## What is known\n\n${text}`,
  ];
  const taken = frames.flatMap((frame) => said.map(frame).filter((text) => findStatements(text).length > 0));
  expect(taken.slice(0, 5)).toEqual([]);
});

it('gives the person’s own words and where they are', () => {
  const turn = 'Thanks! By the way, I live in Ghent. Fix the test now.';
  const [found, ...more] = findStatements(turn);
  expect(more).toEqual([]);
  expect(found).toMatchObject({ text: 'I live in Ghent', kind: 'about-person' });
  expect(turn.slice(found?.start, found?.end)).toBe('I live in Ghent.');
});

it('reads hostile texts in linear time', () => {
  const long = 20_000;
  const parts = [
    "'a",
    '"',
    '<a ',
    '<a>',
    '`',
    '```',
    'a. ',
    'a.',
    '“',
    'I prefer a, ',
    'please ',
    'and, ',
    '> ',
    '\n',
    '[',
    'a:',
    'no ',
  ];
  for (const part of parts) expect(() => findStatements(part.repeat(long / part.length))).not.toThrow();
});
