/** The protocol's own inspector sees Baton's tools as an agent does, through the entry that `baton init` wrote. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { putBatonOn, runBatonIn } from './baton.ts';
import { installPackages, nodePackage } from './install.ts';
import { type Machine, openMachine } from './machine.ts';
import { proving } from './proving.ts';

const INSPECTOR = '@modelcontextprotocol/inspector';

describe.runIf(proving)('the inspector', () => {
  let machine: Machine;
  let repository: string;
  let folder: string | undefined;
  let node: string | undefined;
  let missing = '';

  beforeAll(async () => {
    machine = await openMachine();
    repository = await machine.repository('shop');
    const inspector = await installPackages(INSPECTOR);
    // It needs a newer Node than Baton does.
    const newer = await installPackages(nodePackage);
    if ('missing' in inspector || 'missing' in newer) {
      missing = 'missing' in inspector ? inspector.missing : 'missing' in newer ? newer.missing : '';
      return;
    }
    folder = inspector.folder;
    node = join(newer.folder, nodePackage, 'bin', 'node');
    await putBatonOn(machine);
    await machine.write(join(machine.home, '.claude', 'settings.json'), '{}\n');
    const { code } = await runBatonIn(machine, repository, 'init', '--yes');
    expect(code).toBe(0);
  });
  beforeEach(({ skip }) => skip(folder === undefined, missing));
  afterAll(() => machine.leave());

  const inspect = async (...args: string[]) => {
    const { command, args: words } = JSON.parse((await machine.read(join(repository, '.mcp.json')))!)
      .mcpServers.baton;
    const program = join(folder!, ...INSPECTOR.split('/'), 'clients', 'launcher', 'build', 'index.js');
    const { stdout } = await promisify(execFile)(node!, [program, '--cli', command, ...words, ...args], {
      cwd: repository,
      env: machine.env,
    });
    return JSON.parse(stdout);
  };

  it('lists tools that it accepts, each with a schema of what it takes', async () => {
    const { tools } = (await inspect('--method', 'tools/list')) as {
      tools: { name: string; inputSchema: { type: string } }[];
    };
    expect(tools.length).toBeGreaterThan(3);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    expect(new Set(tools.map(({ inputSchema }) => inputSchema.type))).toEqual(new Set(['object']));
  });
});
