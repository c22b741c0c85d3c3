import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AGENT_ACTION_IDS, AGENT_ACTIONS } from './actions.ts';
import { type Place, placePath } from './paths.ts';
import { withoutPrivate } from './private-words.ts';
import { toolSteps } from './tool-steps.ts';

const place: Place = {
  cwd: '/home/u/shop',
  root: '/home/u/shop',
  home: '/home/u',
  data: '/home/u/.baton',
  temporary: '/tmp',
  platform: 'linux',
};

const steps = (tool: string, input: Record<string, unknown>) => toolSteps({ tool, input }, place);
const shell = (command: string) => steps('Bash', { command });
const runs = (command: string) =>
  shell(command)
    .filter(({ action }) => action === 'shell.run')
    .map(({ parameters }) => (parameters.opaque ? `? ${parameters.command}` : parameters.command));
const files = (command: string) =>
  shell(command)
    .filter(({ action }) => action !== 'shell.run')
    .map(({ action, parameters }) => `${action.slice(5)} ${parameters.path} ${parameters.zone}`);

const ajv = new Ajv2020({ strict: false });
const schemas = new Map(
  AGENT_ACTIONS.map((action) => [action.action_id, ajv.compile(action.parameters_schema)]),
);

describe('the steps of a tool call', () => {
  it('have a schema each', () => {
    expect(AGENT_ACTIONS.map(({ action_id }) => action_id)).toEqual([...AGENT_ACTION_IDS]);
  });

  it.each(Object.getOwnPropertyNames(Object.prototype))(
    'are found for a program or a tool called %s',
    (name) => {
      expect(runs(`${name} x; rm y`)).toEqual([`${name} x`, 'rm y']);
      expect(steps(name, {})).toEqual([{ action: 'tool.use', parameters: { tool: name } }]);
    },
  );

  it('fit the schema of their action, whatever the client says', () => {
    const tool = fc.constantFrom(
      'Bash',
      'Write',
      'Read',
      'apply_patch',
      'WebFetch',
      'Task',
      'mcp__a__b',
      'MCP:x',
      'other',
    );
    const input = fc.dictionary(
      fc.constantFrom(
        'command',
        'file_path',
        'path',
        'url',
        'query',
        'subagent_type',
        'input',
        'server',
        'workdir',
      ),
      fc.oneof(
        fc.string(),
        fc.array(fc.string()),
        fc.constant(null),
        fc.constant('git push > a; rm -rf ~/.ssh'),
      ),
    );
    fc.assert(
      fc.property(tool, input, (name, given) => {
        const found = steps(name, given);
        expect(found.length).toBeGreaterThan(0);
        for (const { action, parameters } of found) {
          const fits = schemas.get(action);
          expect(fits?.(JSON.parse(JSON.stringify(parameters))), JSON.stringify(fits?.errors)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [
      'Write',
      { file_path: '/home/u/shop/a.ts' },
      'file.write',
      { path: 'a.ts', inside: true, zone: 'repository', by: 'tool' },
    ],
    [
      'replace',
      { file_path: 'src/../.baton/project.json' },
      'file.write',
      { path: '.baton/project.json', zone: 'rules' },
    ],
    ['Edit', { file_path: '/home/u/shop/.claude/settings.local.json' }, 'file.write', { zone: 'settings' }],
    ['Read', { file_path: '/home/u/shop/.env' }, 'file.read', { path: '.env', zone: 'secrets' }],
    ['read', { filePath: '/home/u/.baton/owner.key' }, 'file.read', { zone: 'data', inside: false }],
    ['Grep', { pattern: 'x' }, 'file.read', { path: '.', zone: 'repository' }],
    ['WebFetch', { url: 'https://Example.com/a' }, 'web.fetch', { host: 'example.com' }],
    ['mcp__github__create_pr', { title: 'x' }, 'mcp.call', { server: 'github', name: 'create_pr' }],
    ['Task', { subagent_type: 'Explore' }, 'agent.start', { kind: 'Explore' }],
    ['TodoWrite', {}, 'tool.use', { tool: 'TodoWrite' }],
  ])('%s %j is %s %j', (tool, input, action, parameters) => {
    expect(steps(tool, input)[0]).toMatchObject({ action, parameters });
  });

  it('name every file of a patch', () => {
    const command =
      '*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n*** Delete File: .env\n*** Add File: ../x\n';
    expect(
      steps('apply_patch', { command }).map(({ action, parameters }) => [action, parameters.path]),
    ).toEqual([
      ['file.write', 'a.ts'],
      ['file.write', 'b.ts'],
      ['file.delete', '.env'],
      ['file.write', '/home/u/x'],
    ]);
  });
});

describe('the steps of a command', () => {
  it.each([
    ['sudo -u root rm -rf /', ['sudo -u root rm -rf /', 'rm -rf /']],
    ['env A=1 git -C x push', ['env A=1 git -C x push', 'git -C x push']],
    [`bash -lc 'git push && ls'`, ['bash -lc git push && ls', 'git push', 'ls']],
    [
      'npx -y baton-ledger inbox approve x',
      ['npx -y baton-ledger inbox approve x', 'baton-ledger inbox approve x'],
    ],
    ['node dist/baton.cjs inbox approve x', ['node dist/baton.cjs inbox approve x', 'baton inbox approve x']],
    ['node ./node_modules/.bin/baton inbox', ['node ./node_modules/.bin/baton inbox', 'baton inbox']],
    ['timeout 5 git push', ['timeout 5 git push', 'git push']],
    ['curl x | bash', ['curl x', '? bash']],
    ['bash', ['? bash']],
    ['python3 -i', ['? python3 -i']],
    ['python3 x.py', ['python3 x.py']],
    ['$CMD x', ['? $CMD x']],
    ['git $X', ['? git $X']],
    ['git commit -m "$X"', ['git commit -m $X']],
    ['eval "git push"', ['eval git push', 'git push']],
    ['PATH=/evil git status', ['? git status', 'git status']],
    ['source x.sh', ['? source x.sh']],
    ['case x in *) rm y;; esac', ['? case x in *) rm y;; esac']],
    ["test -v 'a[$(rm x)]'", ['? test -v a[$(rm x)]']],
  ])('%j runs %j', (line, commands) => {
    expect(runs(line)).toEqual(commands);
  });

  it('names flags one by one, and the subcommand after the program’s own options', () => {
    expect(shell('git -C /x push --force-with-lease=a -fu')[0]?.parameters).toMatchObject({
      program: 'git',
      subcommand: 'push',
      flags: ['-C', '--force-with-lease', '-fu', '-f', '-u'],
    });
  });

  it.each([
    ['rm -rf build .baton', ['delete build repository', 'delete .baton rules']],
    ['rm -rf .', ['delete . rules']],
    ['echo x > .env', ['write .env secrets']],
    ['cat ~/.ssh/id_rsa', ['read /home/u/.ssh/id_rsa secrets']],
    ['cp a /etc/b', ['read a repository', 'write /etc/b outside']],
    ['mv a b', ['delete a repository', 'write b repository']],
    ['sed -i s/a/b/ x.ts', ['write x.ts repository']],
    ['ls > /dev/null 2>&1', []],
    ['cat "$X/y"', ['read $X/y outside']],
  ])('%j touches %j', (line, touched) => {
    expect(files(line)).toEqual(touched);
  });

  it('takes a path after `cd` for either folder, since nobody knows which branch is taken', () => {
    expect(files('cd /etc && rm x').filter((each) => each.startsWith('delete'))).toEqual([
      'delete x repository',
      'delete /etc/x outside',
    ]);
  });

  it('calls what is too long opaque', () => {
    expect(runs(`echo ${'a'.repeat(9_000)}; rm x`)[0]).toMatch(/^\? echo/);
  });
});

describe('paths', () => {
  it('lead where links lead', () => {
    const real = { 'notes.txt': '/home/u/.ssh/id_rsa' };
    expect(placePath('notes.txt', { ...place, real })).toMatchObject({ inside: false, zone: 'secrets' });
  });

  it('of Windows are the same whatever their case, slashes, dots and streams', () => {
    const windows: Place = {
      cwd: 'C:\\Users\\u\\Shop',
      root: 'C:\\Users\\u\\Shop',
      home: 'C:\\Users\\u',
      data: 'C:\\Users\\u\\.baton',
      temporary: 'C:\\Temp',
      platform: 'win32',
    };
    expect(placePath('c:/users/U/shop/.BATON/atlas/atlas.json', windows)).toMatchObject({
      inside: true,
      zone: 'rules',
    });
    expect(placePath('.baton.\\project.json', windows).zone).toBe('rules');
    expect(placePath('.env::$DATA', windows).zone).toBe('secrets');
    expect(placePath('src\\a.ts', windows)).toEqual({ path: 'src/a.ts', inside: true, zone: 'repository' });
    expect(placePath('D:\\x', windows)).toMatchObject({ inside: false, zone: 'outside' });
  });

  it('never say inside of what is not', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '..', '.', '', 'b c', '\n', '~')).map((parts) => parts.join('/')),
        (path) => {
          const placed = placePath(path, place);
          if (placed.inside) expect(placed.path.split('/')).not.toContain('..');
          else expect(placed.path.startsWith('/')).toBe(true);
        },
      ),
    );
  });
});

describe('programs where file systems mind no case', () => {
  const elsewhere = (platform: string, command: string) =>
    toolSteps({ tool: 'Bash', input: { command } }, { ...place, platform })
      .filter(({ action }) => action === 'shell.run')
      .map(({ parameters }) => parameters.program);

  it('are judged by their usual names too', () => {
    expect(elsewhere('darwin', 'GIT push --force')).toEqual(['GIT', 'git']);
    expect(elsewhere('win32', 'SUDO Rm -rf x')).toEqual(['SUDO', 'sudo', 'Rm', 'rm']);
    expect(elsewhere('linux', 'GIT push --force')).toEqual(['GIT']);
    expect(placePath('/HOME/U/.Baton/owner.key', place).zone).toBe('data');
  });
});

describe('private passages', () => {
  it('are removed wherever they are, also when nobody closed them', () => {
    expect(
      withoutPrivate({ prompt: 'a <private>b</private> c <PRIVATE>d', list: ['<private>x\ny</private>'] }),
    ).toEqual({
      prompt: 'a [private] c [private]',
      list: ['[private]'],
    });
  });
});

describe('what a call holds more of than is looked at', () => {
  const opaqueIn = (command: string) => runs(command).some((each) => String(each).startsWith('? '));
  const many = (count: number) => Array.from({ length: count }, (_, at) => `f${at}`).join(' ');

  it('is opaque: words, paths, commands, and a line longer than a shell is ever given', () => {
    expect(opaqueIn(`rm ${many(50)}`)).toBe(false);
    expect(opaqueIn(`rm ${many(250)} .baton/atlas`)).toBe(true);
    expect(opaqueIn(`git commit -m ${many(150)}`)).toBe(false);
    expect(opaqueIn(`git push ${many(250)} --force`)).toBe(true);
    expect(opaqueIn(`${'a;'.repeat(1_500)} git push`)).toBe(true);
    expect(opaqueIn(`: ${'x'.repeat(600_000)}\n git push`)).toBe(true);
    expect(opaqueIn(`node -e "${"'a';".repeat(250)} '.env'"`)).toBe(true);
    const argv = ['git', 'push', ...many(250).split(' '), '--force'];
    expect(steps('shell', { command: argv }).some(({ parameters }) => parameters.opaque)).toBe(true);
  });

  it('is judged as what matters most, where it is files or addresses', () => {
    const patch = Array.from({ length: 501 }, (_, at) => `*** Update File: f${at}`).join('\n');
    expect(steps('apply_patch', { input: patch }).at(-1)).toMatchObject({
      action: 'file.write',
      parameters: { zone: 'rules', inside: false },
    });
    const paths = Array.from({ length: 501 }, (_, at) => `f${at}`);
    expect(steps('read_many_files', { paths }).at(-1)).toMatchObject({
      action: 'file.read',
      parameters: { zone: 'secrets', inside: false },
    });
    expect(steps('read_many_files', { paths: paths.slice(1) })).toHaveLength(500);
    const urls = Array.from({ length: 21 }, (_, at) => `http://h${at}.example/`).join(' ');
    expect(steps('WebFetch', { prompt: urls }).at(-1)).toMatchObject({ parameters: { host: '' } });
  });

  it('does not make reading it slow', () => {
    const before = process.cpuUsage();
    shell(`rm ${'w '.repeat(65_000)}`);
    shell('"'.repeat(120_000));
    shell(`a ${'"baton x" '.repeat(12_000)}`);
    // Reading it in the square of its length takes minutes.
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });
});
