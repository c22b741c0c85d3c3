/**
 * `node scripts/mutate.mjs [FILE …]` changes one thing at a time in the rules that decide and runs their tests: a change
 * that no test notices is a gap. The files on disk stay as they are. Fails below the share that must be noticed.
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { mutantsOf } from './mutants.mjs';

const RULES = ['decide', 'compile', 'tiers'].map((name) => `src/slices/governance/policies/rules/${name}.ts`);
const TESTS = ['src/slices/governance/policies/rules'];
const ENOUGH = 0.9;
/** A change may make a loop endless: that is noticed, too. */
const LONGEST_MS = 180_000;

const files = process.argv.slice(2);
const mutants = [];
for (const file of files.length > 0 ? files : RULES) {
  for (const mutant of mutantsOf(await readFile(file, 'utf8'))) mutants.push({ file, ...mutant });
}
const waiting = [...mutants];
let survived = 0;
await Promise.all(Array.from({ length: availableParallelism() }, work));
const score = 1 - survived / mutants.length;
console.log(
  `${mutants.length - survived} of ${mutants.length} changes were noticed (${(score * 100).toFixed(1)} %)`,
);
process.exit(score >= ENOUGH ? 0 : 1);

async function work() {
  for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
    if (!(await passes(mutant))) continue;
    survived += 1;
    console.log(`survived  ${mutant.file}:${mutant.line}  ${mutant.kind}`);
  }
}

function passes({ file, text }) {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'scripts/mutant.config.mjs', ...TESTS];
  const child = spawn(process.execPath, args, {
    stdio: 'ignore',
    timeout: LONGEST_MS,
    env: { ...process.env, MUTANT_FILE: file, MUTANT_TEXT: text },
  });
  return new Promise((done) => child.on('close', (code) => done(code === 0)));
}
