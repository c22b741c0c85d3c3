import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleForNode } from '../setup/bundle.ts';
import { batonBinary } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

const examples = readdirSync('examples').filter((file) => file.endsWith('.ts'));

describe('the examples', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it('are there', () => {
    expect(examples.length).toBeGreaterThan(1);
  });

  it.each(examples)('%s does what it says', async (file) => {
    const env = {
      ...process.env,
      BATON_URL: server.url,
      BATON_TOKEN: server.ownerToken,
      BATON_BINARY: await batonBinary(),
    };
    const child = spawn(process.execPath, [await bundleForNode(`examples/${file}`)], { env });
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    child.stderr.on('data', (text) => {
      output += text;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  });
});
