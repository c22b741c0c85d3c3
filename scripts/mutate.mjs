/**
 * `npm run mutate [-- FILE …]` changes one thing at a time in the pure rules of every slice and runs the tests that reach
 * them: a change that no test notices is a gap. The files on disk stay as they are. Without files it takes a few changes of
 * each rules file, always the same ones; `--all` takes every change. Prints the score of each slice and fails below the
 * share that must be noticed.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { mutantsOf } from './mutants.mjs';

const A_FILE = 2;
/** What decides who may do what is held to more than the rest. */
const ENOUGH = { policies: 0.9, other: 0.7 };
/** A change may make a loop endless: that is noticed, too. */
const LONGEST_MS = 180_000;

const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const all = named.length > 0 || process.argv.includes('--all');
const mutants = [];
for (const file of named.length > 0 ? named : rulesFiles()) {
  const found = mutantsOf(await readFile(file, 'utf8')).map((mutant) => ({ file, ...mutant }));
  mutants.push(...(all ? found : found.sort(byDigest).slice(0, A_FILE)));
}
const scores = new Map();
const waiting = [...mutants];
await Promise.all(Array.from({ length: availableParallelism() }, work));

let enough = mutants.length > 0;
for (const [group, { noticed, tried }] of [...scores].sort()) {
  const score = noticed / tried;
  const wanted = group === 'governance/policies' ? ENOUGH.policies : ENOUGH.other;
  console.log(`${group}: ${noticed} of ${tried} changes were noticed (${(score * 100).toFixed(1)} %)`);
  enough &&= score >= wanted;
}
const total = [...scores.values()].reduce((sum, { noticed }) => sum + noticed, 0);
console.log(`${total} of ${mutants.length} in all (${((100 * total) / mutants.length).toFixed(1)} %)`);
process.exit(enough ? 0 : 1);

/** `rules.ts`, `*-rules.ts`, and whatever lies in a folder `rules`. */
function rulesFiles() {
  return readdirSync('src/slices', { recursive: true, encoding: 'utf8' })
    .map((file) => join('src/slices', file).replaceAll('\\', '/'))
    .filter(
      (file) => /(\/rules\/.*|\/([\w-]+-)?rules)\.ts$/.test(file) && !/\.test\.ts$|\btesting\b/.test(file),
    )
    .sort();
}

function byDigest(a, b) {
  return digestOf(a).localeCompare(digestOf(b));
}

function digestOf({ file, line, kind }) {
  return createHash('sha256').update(`${file} ${line} ${kind}`).digest('hex');
}

async function work() {
  for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
    const [, slice, subject] = /slices\/(\w+)\/([\w-]+)/.exec(mutant.file) ?? [];
    const group = subject === 'policies' ? `${slice}/${subject}` : slice;
    const score = scores.get(group) ?? { noticed: 0, tried: 0 };
    scores.set(group, score);
    const survived = await passes(mutant, slice);
    score.tried += 1;
    if (survived) console.log(`survived  ${mutant.file}:${mutant.line}  ${mutant.kind}`);
    else score.noticed += 1;
  }
}

/** The tests beside the rules are quick, those from outside are not: they run only for what the first let through. */
async function passes(mutant, slice) {
  return (await passesTests(mutant, `src/slices/${slice}`)) && passesTests(mutant, `test/${slice}`);
}

/** Runs the tests of the folder that import the file, directly or through others. */
function passesTests({ file, text }, folder) {
  const args = [
    'node_modules/vitest/vitest.mjs',
    'related',
    file,
    '--run',
    '--config',
    'scripts/mutant.config.mjs',
  ];
  const child = spawn(process.execPath, args, {
    stdio: 'ignore',
    timeout: LONGEST_MS,
    env: { ...process.env, MUTANT_FILE: file, MUTANT_TEXT: text, MUTANT_TESTS: folder },
  });
  return new Promise((done) => child.on('close', (code) => done(code === 0)));
}
