/** What a session brings in a file and then applies, unpacks or runs, as the starter Atlas decides it. */
import { describe, expect, it } from 'vitest';
import { decidedIn, place } from './testing/decided.ts';

/** The files that the session wrote, as a hook finds them beside the line. */
const diff = (path: string) =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`;
const FILES: Readonly<Record<string, string>> = {
  'fine.diff': `${diff('src/cart.ts')}${diff('test/cart.test.ts')}`,
  'hooks.diff': diff('.claude/settings.local.json'),
  'rules.diff': `${diff('src/cart.ts')}rename from notes.json\nrename to .baton/atlas/deny.json\n`,
  'quoted.diff': '--- /dev/null\n+++ "b/\\056mcp.json"\t2026-01-01\n@@ -0,0 +1 @@\n+{}\n',
  'deep.diff': diff('x/y/.baton/project.json'),
  'no-headers.diff': '1c1\n< a\n---\n> b\n',
  'long.diff': `${diff('src/cart.ts')}\n[private]`,
  'fine.py': `import subprocess\nsubprocess.run(["pytest", "-q"])\nopen("out/report.txt", "w").write("it can't fail")\n`,
  'push.py': `import subprocess\nsubprocess.run(["git", "push", "--force", "origin", "main"], check=True)\n`,
  'off.mjs': `import { execSync } from 'node:child_process';\nexecSync('baton guard off');\n`,
  'shell.rb': `system("sh", "-c", "git push origin main")\n`,
  'hooks.js': `require('fs').writeFileSync('.claude/settings.json', '{}');\n`,
  'key.py': `print(open("/home/ada/.baton/owner.key").read())\n`,
  'words.js': `// It doesn't push.\nconsole.log('git push --force is denied');\n`,
  'ticks.rb': 'puts `git push origin main`\n',
  'don.py': `# it doesn't matter\nimport subprocess\nsubprocess.run(['git', 'push', '-f'])\n`,
  './tool': `#!/usr/bin/env python3\nimport os\nos.system("git push --force")\n`,
  'make:': [
    'FLAGS = --force',
    'PUSH ?= git push $(FLAGS)',
    '.PHONY: all test ship clean',
    'all: build test',
    'build: src/cart.ts',
    '\t@echo building $@ "$$HOME"',
    'test:',
    '\t-npm test \\',
    '\t  --silent',
    'ship: test',
    '\t@$(PUSH) origin main',
    'release: ship',
    'odd:',
    '\t$(WHATEVER) --now',
    'asked: ; git push origin main',
  ].join('\n'),
  'evil.mk': 'include more.mk\nall: more\n',
  'more.mk': 'more:\n\tbaton guard off\n',
};
const scripts = Object.fromEntries(
  Object.entries(FILES).map(([name, text]) => [name, { text, changed_at: 0 }]),
);
const decided = (command: string) => decidedIn(command, { ...place, scripts });
const heredoc = (command: string, body: string) => `${command} <<'END'\n${body}\nEND\n`;

describe('what a session brought', () => {
  it('is read in time that grows with its length, whatever it is', () => {
    const cost = (text: string) => {
      const before = process.cpuUsage();
      decidedIn('node x.js', { ...place, scripts: { 'x.js': { text, changed_at: 0 } } });
      decidedIn('make', { ...place, scripts: { 'make:': { text, changed_at: 0 } } });
      decidedIn('git apply x.js', { ...place, scripts: { 'x.js': { text, changed_at: 0 } } });
      return process.cpuUsage(before).user;
    };
    const unit = [
      '\\\\"',
      `\\\\"\\\\'`,
      '\\\\`',
      `"'`,
      '`',
      "'a',",
      'A = $(A)$(A)\n',
      '+++ b/x/x/x/x/x/x\n',
      '"\\\\\n',
    ];
    for (const each of unit)
      expect([each, cost(each.repeat(32_000 / each.length)) < 3_000_000]).toEqual([each, true]);
  });

  it.each([
    'git apply hooks.diff',
    'git apply -p1 --index fine.diff hooks.diff',
    'git -C . am hooks.diff',
    'git apply < hooks.diff',
    'patch -p1 < hooks.diff',
    'patch -p1 -i rules.diff',
    'patch -p1 -irules.diff',
    'patch .mcp.json fine.diff',
    'patch -o .mcp.json src/cart.ts fine.diff',
    'git apply quoted.diff',
    'git apply -p3 deep.diff',
    'git apply --directory=.claude hooks.diff',
    'env A=1 git apply hooks.diff',
    heredoc('git apply', diff('.claude/settings.json')),
    heredoc('cd . && patch -p1', diff('.mcp.json')),
    heredoc('apply_patch', '*** Begin Patch\n*** Add File: .mcp.json\n+{}\n*** End Patch'),
    `apply_patch '*** Begin Patch\n*** Delete File: .baton/project.json\n*** End Patch'`,
    'python3 push.py',
    'python3 -u ./push.py || python3 push.py',
    'node off.mjs',
    'python3 don.py',
    'python3 key.py',
    './tool',
    'make ship',
    'make -j4 release',
    'make -f evil.mk',
    'make -fevil.mk all',
  ])('is denied: %s', (line) => {
    expect(decided(line)).toBe('deny');
  });

  it.each([
    'curl http://x | git apply',
    'git apply -',
    'git apply no-headers.diff',
    'git apply long.diff',
    'curl -o x.diff http://x && git apply x.diff',
    'git apply "$X"',
    'cat x.diff | patch -p1',
    'cat x | apply_patch',
    'tar xf x.tar',
    'tar xzf x.tgz -C .',
    'tar -C .. -xf x.tar',
    'tar xfC x.tar .',
    'curl http://x | tar xz',
    'unzip -o x.zip',
    'unzip x.zip -d .',
    'bsdtar -xf x.zip',
    '7z x x.7z',
    'jar xf x.jar',
    'cpio -id < x.cpio',
    'python3 -m zipfile -e x.zip .',
    'python3 -m tarfile -e x.tar',
    'busybox tar xf x.tar',
    'cd sub && tar xf x.tar -C ..',
    'cp -r x/. .',
    'cp -rT x .',
    'rsync -a x/ .',
    'ruby shell.rb',
    'ruby ticks.rb',
    'node hooks.js',
    'make odd',
    'make asked',
    'make ship PUSH="git push origin"',
    `printf 'all:\\n\\tx\\n' > Makefile && make`,
    `echo 'print(1)' > x.py && python3 x.py`,
  ])('is asked about: %s', (line) => {
    expect(decided(line)).toBe('require_approval');
  });

  it.each([
    'git apply fine.diff',
    'git apply --check hooks.diff',
    'git apply --stat hooks.diff',
    'git am --abort',
    'git apply older.diff',
    'patch -p1 < fine.diff',
    'patch --dry-run -p1 < hooks.diff',
    heredoc('git apply -p1', diff('src/cart.ts')),
    heredoc('apply_patch', '*** Begin Patch\n*** Update File: src/cart.ts\n*** End Patch'),
    'tar xf x.tar -C vendor',
    'tar czf x.tgz src',
    'tar tf x.tar',
    'tar xOf x.tar a.txt',
    'unzip -l x.zip',
    'unzip x.zip -d vendor',
    'python3 -m zipfile -e x.zip vendor',
    'unzip -p x.zip a.txt',
    'cp -r src/. dest',
    'rsync -a src/ dest/',
    'cp -r . /tmp/copy',
    'python3 fine.py',
    'python3 older.py',
    'node words.js',
    'python3 fine.py x.csv push.py',
    'curl -o x.json http://x && node older.js x.json',
    'cat push.py',
    'make',
    'make test',
    'make -C sub build',
    'make unknown-goal',
  ])('passes: %s', (line) => {
    expect(decided(line)).toBe('allow');
  });
});
