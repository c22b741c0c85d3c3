import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT_VARIABLES, agentSessionOf } from '../../src/app/agent-session.ts';
import { manifestOf } from '../../src/slices/governance/testing/manifest.ts';
import { aPackage } from '../context/a-package.ts';
import { batonBinary, runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { describeInTerminal, runInTerminal } from '../setup/terminal.ts';

const passphrase = 'four quiet green herons';
const AGENT = { CLAUDECODE: '1' };

let server: TestServer;
let coral: string;
let packages = 0;
beforeAll(async () => {
  server = await startTestServer();
  const key = await server.client.call('keys.create', { actor_id: 'coral', actor_type: 'agent' });
  coral = key.token as string;
});
afterAll(() => server.close());

const here = (more: Record<string, string> = {}) => ({ BATON_DATA: server.dataDir, ...more });

/** An agent's package that waits for a person. */
async function waiting(): Promise<{ packageId: string; itemId: string }> {
  const packageId = `pkg-${++packages}`;
  const made = await fetch(`${server.url}/v1/projects/default/packages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${coral}`, 'content-type': 'application/json' },
    body: JSON.stringify(
      aPackage(packageId, {
        project_id: 'default',
        status: 'awaiting_review',
        review_type: 'human',
        created_by: { id: 'coral', type: 'agent', session_id: null },
      }),
    ),
  });
  expect(made.status).toBe(201);
  const { items } = await server.client.call('inbox.list', {});
  return { packageId, itemId: items.find(({ subject }) => subject.id === packageId)!.id };
}

const stateOf = async (id: string) => (await server.client.call('inbox.get', { id })).state;

describe('an agent’s session', () => {
  it('is known by what agents set, and not by what is empty or off', () => {
    for (const name of AGENT_VARIABLES) expect(agentSessionOf({ [name]: '1' })).toBe(name);
    for (const value of ['', '0', 'false', undefined]) {
      expect(agentSessionOf({ CLAUDECODE: value })).toBeUndefined();
    }
    expect(agentSessionOf({ PATH: '/bin', CODEX_HOME: '/x', TERM: 'xterm' })).toBeUndefined();
  });

  it('is described in the docs by the whole list', async () => {
    const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    for (const name of AGENT_VARIABLES) expect(page).toContain(`\`${name}\``);
  });

  it('decides nothing with the owner key, by whichever command', async () => {
    const { itemId, packageId } = await waiting();
    for (const command of [
      ['inbox', 'approve', itemId, '--yes'],
      ['inbox', 'reject', itemId, '--yes'],
      ['review', 'approve', packageId],
      ['review', 'request-changes', packageId],
      ['approvals', 'approve', 'any'],
      ['memory', 'approve', 'any'],
      ['run', 'approve'],
      ['run', 'decline'],
      ['run', 'resume'],
      ['login'],
      ['passphrase'],
      ['passphrase', 'reset'],
    ]) {
      const ran = await runBaton(command, { env: here(AGENT) });
      expect({ command, ...ran }).toMatchObject({
        code: 5,
        stderr: expect.stringMatching(/agent_session[\s\S]*CLAUDECODE is set[\s\S]*baton open/),
      });
    }
    expect(await stateOf(itemId)).toBe('open');
  });

  it('changes with the owner key neither rules nor keys, nor what is a person’s own', async () => {
    const before = await server.client.call('keys.list', {});
    const folder = await mkdtemp(join(tmpdir(), 'baton-test-'));
    await writeFile(join(folder, 'atlas.json'), JSON.stringify(manifestOf({})));
    for (const command of [
      ['atlas', 'load', folder],
      ['atlas', 'unload', 'any'],
      ['keys', 'create', 'helper', '--actor-type', 'agent', '--scopes', 'atlas:write'],
      ['keys', 'revoke', 'any'],
      ['keys', 'renew-owner'],
      ['journal', 'rekey'],
      ['oauth', 'revoke', 'any'],
      ['open', '--print'],
      ['approvals', 'revoke', 'any'],
      ['packages', 'redact', 'any', '--reason', 'none'],
      ['projects', 'archive', 'default'],
      ['memory', 'confirm', 'any'],
      ['memory', 'import', join(folder, 'atlas.json')],
      ['run', 'attach', '--project', 'default'],
      ['sync', '--from', server.url, '--project', 'default'],
    ]) {
      const ran = await runBaton(command, { env: here(AGENT), cwd: folder });
      expect({ command, ...ran }).toMatchObject({
        code: 5,
        stdout: '',
        stderr: expect.stringMatching(/agent_session[\s\S]*CLAUDECODE is set[\s\S]*terminal of your own/),
      });
    }
    await rm(folder, { recursive: true, force: true });
    expect(await server.client.call('keys.list', {})).toEqual(before);
    // An agent with a key that may do it does it: what it may, the person said who made the key.
    const { token } = await server.client.call('keys.create', {
      actor_id: 'ruler',
      actor_type: 'agent',
      scopes: ['atlas:write'],
    });
    const own = await runBaton(['atlas', 'unload', 'any'], {
      env: here({ ...AGENT, BATON_TOKEN: token as string }),
    });
    expect(own.stderr).toContain('ATLAS_NOT_FOUND');
  });

  it('may do an agent’s own part: complete a draft, or be told by the server what only people decide', async () => {
    const { packageId } = await waiting();
    const ran = await runBaton(['review', 'approve', packageId], {
      env: here({ ...AGENT, BATON_TOKEN: coral }),
    });
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining('reviewer_type_mismatch') });
    const complete = await runBaton(['review', 'complete', 'none'], { env: here(AGENT) });
    expect(complete.stderr).not.toContain('agent_session');
  });

  it('over MCP decides nothing with the owner key either', async () => {
    const { packageId, itemId } = await waiting();
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'review',
        arguments: { action: 'decide', package_id: packageId, verdict: 'approve' },
      },
    };
    const response = await server.fetch('/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify(call),
    });
    expect(await response.text()).toContain('agent_session');
    expect(await stateOf(itemId)).toBe('open');
  });
});

describe('the greeting of `baton up`', () => {
  it('keeps the sign-in link out of a log, and says that presence is not set up', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'baton-test-'));
    const child = spawn(process.execPath, [await batonBinary(), 'up', '--port', '0'], {
      env: { PATH: process.env.PATH ?? '', NO_COLOR: '1', BATON_DATA: dataDir },
    });
    let shown = '';
    await new Promise<void>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        shown += text;
        if (shown.includes('Ctrl+C')) resolve();
      });
    });
    child.kill('SIGTERM');
    await new Promise((resolve) => child.on('close', resolve));
    await rm(dataDir, { recursive: true, force: true });
    expect(shown).not.toContain('sign-in');
    expect(shown).toMatch(/dashboard {2}http:\/\/localhost:\d+ /);
    expect(shown).toContain('presence   not set up');
  });
});

describeInTerminal('at a terminal', () => {
  it('a person sets the passphrase, and an agent’s session asks for it before any decision', async () => {
    const { itemId } = await waiting();
    const bare = await runInTerminal(['inbox', 'approve', itemId, '--yes'], [], here(AGENT));
    expect(bare).toMatchObject({ code: 5, screen: expect.stringContaining('agent_session') });
    const set = await runInTerminal(
      ['passphrase'],
      [
        ['New passphrase', `${passphrase}\r`],
        ['Once more', `${passphrase}\r`],
      ],
      here(),
    );
    expect(set).toMatchObject({ code: 0, screen: expect.stringContaining('Set.') });
    const { token } = await server.client.call('identity.login', { passphrase });
    // A shell that a person had unlocked and then started an agent from.
    const inherited = await runBaton(['inbox', 'approve', itemId, '--yes'], {
      env: here({ ...AGENT, BATON_TOKEN: token as string }),
    });
    expect(inherited).toMatchObject({ code: 5, stderr: expect.stringContaining('agent_session') });
    const wrong = await runInTerminal(
      ['inbox', 'approve', itemId, '--yes'],
      [['Passphrase', 'not the passphrase\r']],
      here(AGENT),
    );
    expect(wrong).toMatchObject({ code: 4, screen: expect.stringContaining('passphrase_wrong') });
    expect(await stateOf(itemId)).toBe('open');
    const right = await runInTerminal(
      ['inbox', 'approve', itemId, '--yes'],
      [['Passphrase', `${passphrase}\r`]],
      here(AGENT),
    );
    expect(right).toMatchObject({ code: 0, screen: expect.stringContaining('Approved') });
    expect(await stateOf(itemId)).toBe('applied');
  });

  it('a lost passphrase is reset on the machine only, and on record', async () => {
    const { token } = await server.client.call('identity.login', { passphrase });
    const piped = await runBaton(['passphrase', 'reset'], { env: here() });
    expect(piped).toMatchObject({ code: 2, stderr: expect.stringContaining('at a terminal') });
    const remote = await runInTerminal(['passphrase', 'reset'], [], here({ BATON_URL: server.url }));
    expect(remote).toMatchObject({ code: 2, screen: expect.stringContaining('not through a server') });
    const next = 'five loud red herons';
    const reset = await runInTerminal(
      ['passphrase', 'reset'],
      [
        ['New passphrase', `${next}\r`],
        ['Once more', `${next}\r`],
      ],
      // No credential: the store is enough.
      here({ BATON_TOKEN: 'none' }),
    );
    expect(reset).toMatchObject({ code: 0, screen: expect.stringContaining('Reset.') });
    const gone = await fetch(`${server.url}/v1/whoami`, { headers: { authorization: `Bearer ${token}` } });
    expect(gone.status).toBe(401);
    await expect(server.client.call('identity.login', { passphrase })).rejects.toMatchObject({
      code: 'passphrase_wrong',
    });
    await server.client.call('identity.login', { passphrase: next });
    const { stdout } = await runBaton(['journal', 'list', '--json'], { env: here() });
    expect(stdout).toContain('passphrase.reset');
    expect(stdout).not.toContain(next);
  });

  it('`baton init` offers to set the first passphrase', async () => {
    // In a folder of its own: in a repository, `init` would set that up.
    const folder = await mkdtemp(join(tmpdir(), 'baton-test-'));
    const env = { BATON_DATA: join(folder, 'data'), HOME: folder };
    const piped = await runBaton(['init'], { env, cwd: folder });
    expect(piped).toMatchObject({ code: 0, stdout: expect.stringContaining('No passphrase is set') });
    const agents = await runInTerminal(['init'], [], { ...env, ...AGENT }, folder);
    expect(agents).toMatchObject({ code: 0, screen: expect.stringContaining('No passphrase is set') });
    const offered = await runInTerminal(
      ['init'],
      [
        ['Set a passphrase now?', 'y'],
        ['New passphrase', `${passphrase}\r`],
        ['Once more', `${passphrase}\r`],
      ],
      env,
      folder,
    );
    expect(offered).toMatchObject({ code: 0, screen: expect.stringContaining('Set.') });
    const again = await runBaton(['init'], { env, cwd: folder });
    expect(again.stdout).not.toContain('passphrase');
    await rm(folder, { recursive: true, force: true });
  });
});
