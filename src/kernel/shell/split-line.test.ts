import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLine } from './split-line.ts';

const commandsOf = (line: string) =>
  splitLine(line).commands.map(({ words }) => words.map(({ text }) => text).join(' '));

describe('a command line', () => {
  it.each([
    ['git push origin main', ['git push origin main']],
    ['a && b || c; d | e & f\ng', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    [`echo 'a && b' "c ; d" e\\ f`, ['echo a && b c ; d e f']],
    ['(cd x; ls) && { rm y; }', ['cd x', 'ls', 'rm y']],
    ['if true; then rm a; else git push; fi', ['true', 'rm a', 'git push']],
    ['for f in a b; do rm "$f"; done', ['rm $f']],
    ['echo $(git push) `rm x`', ['git push', 'rm x', 'echo … …']],
    ['A=1 B=2 git status', ['git status']],
    ['diff <(git log) x > out 2>&1', ['git log', 'diff … x']],
    ['ls # rm -rf /', ['ls']],
    ['git \\\n push', ['git push']],
    [
      `git commit -m "$(cat <<'EOF'\nFix; rm -rf / && \`x\`\n\nIt's done\nEOF\n)" && git push`,
      ['cat', 'git commit -m …', 'git push'],
    ],
    ['cat <<A && rm x\n$HOME\nA\ngit push', ['cat', 'rm x', 'git push']],
  ])('%j runs %j', (line, commands) => {
    expect(splitLine(line).understood).toBe(true);
    expect(commandsOf(line)).toEqual(commands);
  });

  it.each([
    'case x in a) rm y;; esac',
    'git() { rm x; }',
    "$'rm' x",
    'x=(a b)',
    'a[$(rm x)]=1',
    `echo \${x:-$(rm y)}`,
    'echo $((a[0]))',
    '((i++))',
    '[[ -n x ]]',
    'echo "unclosed',
    'cat <<A\n$(rm x)\nA',
    'cat <<A\nno end',
    'while true { rm x }',
    '{rm x}',
    'a ;; b',
    'rm x)',
    'git$\\\nx push --force',
    'git "$\\\nx" push',
  ])('%j is not understood', (line) => {
    expect(splitLine(line).understood).toBe(false);
  });

  it('says which words the shell computes', () => {
    const [command] = splitLine(`ls a 'b*' c* "$d" e{1,2} ~/f $(g) if=~/h`).commands.slice(-1);
    expect(command?.words.map(({ literal }) => literal)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('is read in time that grows with its length', () => {
    expect(splitLine('a;'.repeat(1_000))).toMatchObject({ understood: true });
    const endless = splitLine('a;'.repeat(50_000));
    expect(endless.understood).toBe(false);
    expect(endless.commands).toHaveLength(1_000);
    expect(splitLine('$('.repeat(5_000)).understood).toBe(false);
    expect(splitLine('('.repeat(5_000)).understood).toBe(false);
  });
});

const shells = ['/bin/bash', '/bin/dash', '/bin/zsh'].filter((path) => existsSync(path));

/** Programs that only write down how they were called. */
function recordingFolder(): {
  readonly folder: string;
  readonly run: (shell: string, line: string) => string[][];
} {
  const folder = mkdtempSync(join(tmpdir(), 'baton-split-'));
  const recorder = join(folder, 'recorder');
  // A file each: what runs in the background writes at the same time as others, and perhaps after its line has ended.
  writeFileSync(recorder, `#!/bin/sh\nprintf '%s\\001' "\${0##*/}" "$@" > "$RECORD/$$"\n`);
  chmodSync(recorder, 0o755);
  for (const name of NAMES) symlinkSync(recorder, join(folder, name));
  return {
    folder,
    run(shell, line) {
      const record = mkdtempSync(join(folder, 'record-'));
      const work = mkdtempSync(join(folder, 'work-'));
      spawnSync(shell, ['-c', line], {
        cwd: work,
        env: { PATH: folder, RECORD: record, LC_ALL: 'C.UTF-8' },
        timeout: 5_000,
        input: '',
      });
      return readdirSync(record)
        .map((name) => readFileSync(join(record, name), 'utf8'))
        .filter((call) => call !== '')
        .map((call) => call.split('\u0001').slice(0, -1));
    },
  };
}

const NAMES = ['git', 'rm', 'aa', 'bb'];
const atom = fc.constantFrom(
  ...NAMES.flatMap((name) => [name, `${name} `]),
  ...[' ', ' ', ' ', '\n', ';', '&&', '||', '|', '&', '(', ')', '{', '}', '{ ', ' }', '!', '#', '\\', '\\\n'],
  ...[
    "'",
    '"',
    '$',
    '$(',
    ')',
    '`',
    '$x',
    `\${x}`,
    '$((1+1))',
    "$'",
    '<',
    '>',
    '>>',
    '2>&1',
    '&>',
    '<<',
    '<<-',
  ],
  ...[
    '<<E\n',
    '\nE\n',
    "<<'E'\n",
    '<(',
    '*',
    '?',
    '[',
    ']',
    '~',
    '=',
    'x=',
    'x=1 ',
    '-rf',
    ' push',
    'if ',
    ' then ',
  ],
  ...[
    'fi',
    'for i in ',
    'do ',
    'done',
    'while ',
    'case ',
    'esac',
    ' in ',
    'time ',
    'exec ',
    '{a,b}',
    '\t',
    '%',
    ':',
  ],
);

describe.skipIf(shells.length === 0)('what is understood of a line', () => {
  it('is all that a shell runs of it', () => {
    const { folder, run } = recordingFolder();
    try {
      fc.assert(
        fc.property(
          fc.array(atom, { minLength: 1, maxLength: 14 }).map((parts) => parts.join('')),
          (line) => {
            const { commands, understood } = splitLine(line);
            if (!understood) return;
            for (const shell of shells) {
              for (const call of run(shell, line))
                expect({ line, shell, call, known: isKnown(commands, call) }).toMatchObject({ known: true });
            }
          },
        ),
        { numRuns: process.env.BATON_PROVE === '1' ? 20_000 : 600 },
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

const RUN_THE_NEXT = ['time', 'exec', '!'];

/** The call is one of the commands, as far as its words are known; `exec` and the like run a later word. */
function isKnown(commands: ReturnType<typeof splitLine>['commands'], call: readonly string[]): boolean {
  return commands.some(({ words }) => {
    const starts = words.flatMap(({ text, literal }, at) => (literal && text === call[0] ? [at] : []));
    const first = words[0];
    const named = words.find(({ text, literal }) => !(literal && RUN_THE_NEXT.includes(text)));
    // A program that the shell computes is called opaque by the steps.
    if (named && !named.literal) return true;
    return starts.some((at) => {
      if (at > 0 && !RUN_THE_NEXT.includes(first?.text ?? '')) return false;
      const rest = words.slice(at);
      if (rest.some(({ literal }) => !literal)) return true;
      return rest.length === call.length && rest.every(({ text }, index) => text === call[index]);
    });
  });
}
