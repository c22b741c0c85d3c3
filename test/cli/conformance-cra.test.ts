import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

let server: TestServer;
let otherToken: string;
beforeAll(async () => {
  server = await startTestServer();
  const made = await server.client.call('keys.create', { actor_id: 'rival', actor_type: 'agent' });
  otherToken = (made as { token: string }).token;
});
afterAll(async () => {
  await server.close();
});

describe('baton conformance cra', () => {
  it('finds our own server to be CRA-Full, with every case passed', async () => {
    const { code, stdout } = await runBaton([
      ...['conformance', 'cra', '--url', server.url, '--token', server.ownerToken],
      ...['--other-token', otherToken, '--report', 'json'],
    ]);
    const report = JSON.parse(stdout);
    expect(report.results.filter(({ status }: { status: string }) => status !== 'passed')).toEqual([]);
    expect(report.conformance_level).toBe('CRA-Full');
    expect(code).toBe(0);
    expect(server.failures).toEqual([]);
  });

  it('says what failed and exits with 6 when the credential is wrong', async () => {
    const args = ['conformance', 'cra', '--url', server.url, '--token', 'no', '--only', 'http.session'];
    const { code, stdout } = await runBaton(args);
    expect(code).toBe(6);
    expect(stdout).toMatch(/failed\s+http\.session/);
  });

  it('writes a report for people to keep', async () => {
    const args = [
      'conformance',
      'cra',
      '--url',
      server.url,
      '--token',
      server.ownerToken,
      '--only',
      'http.websocket',
    ];
    const { code, stdout } = await runBaton([...args, '--report', 'md']);
    expect(code).toBe(0);
    expect(stdout).toContain('| http.websocket | passed |');
  });

  it('tells a server that is down from one that fails', async () => {
    expect(await runBaton(['conformance', 'cra', '--url', 'http://127.0.0.1:1'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('server_unreachable'),
    });
  });
});
