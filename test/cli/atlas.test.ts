import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionOf, manifestOf } from '../../src/slices/governance/testing/manifest.ts';
import { runBaton } from '../setup/cli.ts';

const TRACE = join(import.meta.dirname, '../../specs/conformance/hash-chain/valid.trace.jsonl');

let root: string;
const at = (path: string) => join(root, path);
const baton = (...args: string[]) => runBaton(args, { env: { BATON_DATA: at('data') } });

async function put(path: string, content: unknown): Promise<void> {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), typeof content === 'string' ? content : JSON.stringify(content));
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'baton-atlas-cli-'));
  const manifest = manifestOf({
    actions: [actionOf('b.get'), actionOf('a.drop', { risk_tier: 'high' })],
    policies: [
      { policy_id: 'all', type: 'allow' },
      { policy_id: 'no', type: 'deny', actions: ['a.drop'] },
    ],
  });
  await put('one/atlas.json', manifest);
  await put('one/tests/x.cases.json', {
    cases: [
      { name: 'get', action_id: 'b.get', expect: 'allow' },
      { name: 'drop', action_id: 'a.drop', expect: 'deny', policy_id: 'no' },
    ],
  });
  await put('two/atlas.json', { ...manifest, version: '1.0.1', policies: manifest.policies?.slice(0, 1) });
  await put('two/tests/x.cases.json', { cases: [{ name: 'drop', action_id: 'a.drop', expect: 'deny' }] });
  await put('wrong/atlas.json', { ...manifest, atlas_id: 'nothing', colour: 'red' });
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
});

describe('baton atlas on files', () => {
  it('stands beside the verbs on a server under one word', async () => {
    const { stdout } = await baton('atlas', '--help');
    for (const name of ['lint', 'pack', 'verify', 'lock', 'list', 'load', 'unload'])
      expect(stdout).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
  });

  it('lints and validates: 0 for one that can be loaded, 1 and the place for one that cannot', async () => {
    expect(await baton('atlas', 'lint', at('one'))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The Atlas can be loaded: 0 errors/),
    });
    expect(await baton('atlas', 'lint', at('wrong'))).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/error .*\(\/colour\)/),
    });
    const { code, stdout } = await baton('atlas', 'validate', at('wrong'), '--json');
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 1, valid: false });
    expect((await baton('atlas', 'validate', at('one'))).stdout).toBe('valid\n');
  });

  it('tells what is inside and what never matters', async () => {
    const info = JSON.parse((await baton('atlas', 'info', at('one'), '--json')).stdout);
    expect(info).toMatchObject({ reference: 'atlas://com.example.test@1.0.0', policies: ['all', 'no'] });
    expect((await baton('atlas', 'analyze', at('one'))).stdout).toContain('Nobody can ever run a.drop');
    expect((await baton('atlas', 'analyze', at('one'), '--strict')).code).toBe(1);
  });

  it('runs the tests of an Atlas', async () => {
    expect(await baton('atlas', 'test', at('one'), '--min-coverage', '1')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^passed: 2 of 2 tests, 100 %/),
    });
    expect(await baton('atlas', 'test', at('two'))).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/✗ tests\/x.cases.json: drop/),
    });
    expect((await baton('atlas', 'test', at('one'), '--min-coverage', 'all')).code).toBe(2);
  });

  it('compares versions, also in what they decide', async () => {
    const { stdout } = await baton('atlas', 'diff', at('one'), at('two'));
    expect(stdout).toMatch(/^1\.0\.0 → 1\.0\.1/);
    expect(stdout).toMatch(/- policy\s+no/);
    expect(stdout).toContain('a.drop: deny (no) → allow (all)');
  });

  it('prints the actions as tools', async () => {
    const tools = JSON.parse((await baton('atlas', 'emit', 'mcp', at('one'))).stdout);
    expect(tools.map(({ name }: { name: string }) => name).sort()).toEqual(['a_drop', 'b_get']);
    expect((await baton('atlas', 'emit', 'fax', at('one'))).code).toBe(2);
  });

  it('packs, signs and verifies, and exits with 6 for a package that was changed', async () => {
    const file = at('one.atlas');
    expect((await baton('atlas', 'pack', at('one'), '--out', file)).code).toBe(0);
    const signed = JSON.parse((await baton('atlas', 'sign', file, '--json')).stdout);
    const verified = await baton('atlas', 'verify', file, '--key', signed.public_key);
    expect(verified).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^valid: com.example.test 1.0.0/),
    });
    await writeFile(file, (await readFile(file, 'latin1')).replace('Does b.get', 'Does b.GET'), 'latin1');
    const changed = await baton('atlas', 'verify', file);
    expect(changed).toMatchObject({
      code: 6,
      stdout: expect.stringContaining('atlas.json is not what was packed'),
    });
  });

  it('refuses to sign with what is no key', async () => {
    await put('short.key', 'abcd');
    const refused = await baton('atlas', 'sign', at('one/atlas.json'), '--key', at('short.key'));
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('no Ed25519 seed') });
  });

  it('locks dependencies and notices when one is no longer the same', async () => {
    await put('base/atlas.json', manifestOf({ atlas_id: 'com.example.base' }));
    await put('top/atlas.json', manifestOf({ dependencies: { 'com.example.base': '^1.0.0' } }));
    const lock = (...more: string[]) => baton('atlas', 'lock', at('top'), '--from', at('base'), ...more);
    expect((await lock()).stdout).toContain('com.example.base');
    expect(await lock('--check')).toMatchObject({ code: 0, stdout: 'The lock file is up to date.\n' });
    await put('base/atlas.json', manifestOf({ atlas_id: 'com.example.base', name: 'Other' }));
    expect((await lock('--check')).code).toBe(6);
  });

  it('says in two lines that there is nothing at a path', async () => {
    for (const args of [
      ['atlas', 'info', at('none')],
      ['atlas', 'verify', at('none')],
      ['trace', 'show', at('none')],
    ]) {
      const { code, stderr } = await baton(...args);
      expect({ args, code, lines: stderr.split('\n').filter(Boolean).length }).toEqual({
        args,
        code: 2,
        lines: 2,
      });
    }
  });
});

describe('baton trace on files', () => {
  it('shows what a session has been through', async () => {
    const { code, stdout } = await baton('trace', 'show', TRACE, '--json');
    const events = (await readFile(TRACE, 'utf8')).trim().split('\n').length;
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, event_count: events });
  });

  it('compares: 0 for the same, 1 for another', async () => {
    expect(await baton('trace', 'diff', TRACE, TRACE)).toMatchObject({ code: 0, stdout: 'identical\n' });
    const lines = (await readFile(TRACE, 'utf8')).trim().split('\n');
    await put('short.trace.jsonl', `${lines.slice(0, -1).join('\n')}\n`);
    expect(await baton('trace', 'diff', TRACE, at('short.trace.jsonl'))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('event removed'),
    });
  });

  it('exports as JSON lines, and for log collectors', async () => {
    const { stdout } = await baton('trace', 'export', TRACE, '--format', 'cef');
    expect(stdout).toMatch(/^CEF:0\|Baton\|/);
    expect((await baton('trace', 'export', TRACE, '--out', at('copy.jsonl'))).code).toBe(0);
    expect((await baton('trace', 'verify', at('copy.jsonl'))).code).toBe(0);
  });

  it('replays a session that was recorded, and tells what a new Atlas would change', async () => {
    expect(await baton('atlas', 'load', at('one'))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^loaded: .* 1\.0\.0, /),
    });
    const started = JSON.parse(
      (await baton('carp', 'start', '--agent-id', 'bot', '--goal', 'Look', '--json')).stdout,
    );
    const session = started.session_id as string;
    const request = {
      carp_version: '1.0',
      request_id: crypto.randomUUID(),
      timestamp: new Date().toISOString(),
      operation: 'resolve',
      requester: { agent_id: 'bot', session_id: session },
      task: { goal: 'Look' },
    };
    const resolved = await baton('carp', 'resolve', '--request', JSON.stringify(request));
    expect(resolved.stderr).toBe('');
    const { events } = JSON.parse((await baton('trace', 'list', session, '--json')).stdout);
    const { items: inputs } = JSON.parse((await baton('trace', 'inputs', session, '--json')).stdout);
    const lines = (items: object[]) => items.map((each) => `${JSON.stringify(each)}\n`).join('');
    await put('run.trace.jsonl', lines(events));
    await put('run.inputs.jsonl', lines(inputs));

    const given = ['--inputs', at('run.inputs.jsonl'), '--atlas'];
    expect(await baton('trace', 'replay', at('run.trace.jsonl'), ...given, at('one'))).toMatchObject({
      code: 0,
      stdout: 'deterministic: 1 of 1 requests came out the same\n',
    });
    expect(await baton('trace', 'replay', at('run.trace.jsonl'), ...given, at('two'))).toMatchObject({
      code: 6,
      stdout: expect.stringContaining('no atlas'),
    });
    expect(await baton('trace', 'impact', ...given, at('one'), '--new', at('two'))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('a.drop for bot: deny (no) → allow (all)'),
    });
    expect(await baton('trace', 'impact', session, '--new', at('two'))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('a.drop for bot: deny (no) → allow (all)'),
    });
    expect(await baton('trace', 'impact', '--new', at('two'), '--since', '7d')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('a.drop: deny → allow'),
    });
    expect(await baton('trace', 'impact', ...given, at('two'), '--new', at('two'))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('not compared'),
    });
    expect(await baton('trace', 'impact', '--atlas', at('one'), '--new', at('two'))).toMatchObject({
      code: 2,
    });
  });
});
