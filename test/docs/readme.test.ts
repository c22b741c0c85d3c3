import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batonBinary } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

const root = resolve(import.meta.dirname, '../..');

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'baton-readme-'));
  // `npx baton` of the checkout, without npm in between.
  const shim = `#!/bin/sh\nshift\nexec "${process.execPath}" "${await batonBinary()}" "$@"\n`;
  await writeFile(join(folder, 'npx'), shim, { mode: 0o755 });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

function runShell(script: string): Promise<{ code: number | null; output: string }> {
  return new Promise((done) => {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: {
        ...process.env,
        PATH: `${folder}:${process.env.PATH}`,
        BATON_DATA: server.dataDir,
        NO_COLOR: '1',
      },
    });
    let output = '';
    child.stdout.on('data', (text: Buffer) => {
      output += text;
    });
    child.stderr.on('data', (text: Buffer) => {
      output += text;
    });
    child.on('close', (code) => done({ code, output }));
  });
}

/** The blocks that a reader types, in order: later ones may build on earlier ones. */
async function shellBlocks(page: string): Promise<string[]> {
  const text = await readFile(join(root, page), 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block!);
}

describe('README.md', () => {
  it('shows commands that work as written, against a running server', { timeout: 300_000 }, async () => {
    const blocks = await shellBlocks('README.md');
    expect(blocks.length).toBeGreaterThan(2);
    for (const block of blocks) {
      const { code, output } = await runShell(block);
      expect({ block, code, output }).toMatchObject({ code: 0 });
    }
  });
});
