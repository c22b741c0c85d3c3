import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { aPackage, worldOf } from './world.ts';

interface Proxy {
  readonly url: string;
  /** Answered with 404, as a server that knows only the protocol would. */
  unknown: RegExp;
  /** Lists come whole, up to the limit, as the protocol has it without our pages. */
  unpaged: boolean;
  /** Changes what passes. */
  tamper: (path: string, body: string) => string;
}

describe('a copy of a server without /sync', () => {
  let source: TestServer;
  let copy: TestServer;
  let folder: string;
  let listener: Server;
  let proxy: Proxy;
  let projects = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'baton-standard-'));
    [source, copy] = await Promise.all([startTestServer(), startTestServer()]);
    listener = createServer(async (request, response) => {
      const path = request.url ?? '/';
      if (proxy.unknown.test(path)) return response.writeHead(404).end('Not here.');
      if (proxy.unpaged && /\/packages\?limit/.test(path)) return response.end(await wholeList(path));
      const answer = await fetch(`${source.url}${path}`, {
        method: request.method as string,
        headers: { authorization: authorizationOf(request) },
      });
      const body = proxy.tamper(path, await answer.text());
      const kept = ['content-type', 'etag', 'link', 'relay-content-hash'];
      const headers = kept.flatMap((name) =>
        answer.headers.has(name) ? [[name, answer.headers.get(name)]] : [],
      );
      return response.writeHead(answer.status, Object.fromEntries(headers)).end(body);
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as AddressInfo;
    proxy = { url: `http://127.0.0.1:${port}`, unknown: /\/sync/, unpaged: false, tamper: (_, body) => body };
  });
  afterEach(() => {
    proxy.unknown = /\/sync/;
    proxy.unpaged = false;
    proxy.tamper = (_, body) => body;
  });
  afterAll(async () => {
    listener.close();
    await Promise.all([source.close(), copy.close()]);
    await rm(folder, { recursive: true, force: true });
  });

  function authorizationOf(request: IncomingMessage): string {
    return request.headers.authorization ?? '';
  }

  async function wholeList(path: string): Promise<string> {
    const asked = new URL(path, source.url);
    const limit = Number(asked.searchParams.get('limit'));
    const items: unknown[] = [];
    for (let next: string | undefined = path; next; ) {
      const page: Response = await source.fetch(next);
      items.push(...((await page.json()) as unknown[]));
      next = /<([^>]*)>/.exec(page.headers.get('link') ?? '')?.[1];
    }
    return JSON.stringify(items.slice(0, limit));
  }

  async function aProject(): Promise<string> {
    projects += 1;
    const project = `plain${projects}`;
    await worldOf(source).send('POST', '/v1/projects', { project_id: project, name: 'Copied', 'x-mine': 1 });
    return project;
  }

  async function sync(project: string) {
    const { code, stdout, stderr } = await runBaton(
      [
        ...['sync', '--project', project, '--json'],
        ...['--from', proxy.url, '--from-token', source.ownerToken],
        ...['--to', copy.url, '--to-token', copy.ownerToken],
      ],
      { env: { BATON_DATA: folder } },
    );
    expect(stderr).toBe(
      'The server has no /sync: packages, their reviews and facts are copied; sessions, signatures and blobs are not.\n',
    );
    return { code, ...JSON.parse(stdout) };
  }

  /** The order of arrival is not what is compared: a list is by age. */
  async function exported(
    server: TestServer,
    project: string,
    files = ['packages', 'hashes', 'reviews', 'facts'],
  ) {
    const lines: Record<string, string[]> = {};
    for (const file of files) {
      const page = await worldOf(server).send(
        'GET',
        `/v1/projects/${project}/export?file=${file}&limit=1000`,
      );
      lines[file] = page.json.lines.sort();
    }
    return lines;
  }

  async function deposit(project: string, id: string, more: Record<string, unknown> = {}): Promise<void> {
    const body = aPackage(id, { project_id: project, ...more });
    const made = await worldOf(source).send('POST', `/v1/projects/${project}/packages`, body);
    expect([made.status, made.text]).toEqual([201, expect.anything()]);
  }

  const state = (project: string, value: string) =>
    worldOf(source).send('POST', `/v1/projects/${project}/facts`, { subject: 's', predicate: 'p', value });

  it('has the same packages, reviews and facts, however odd, and follows what changes', async () => {
    const project = await aProject();
    const { send } = worldOf(source);
    const odd = ['..', '.', 'a/b c?#%', 'é🙂'];
    for (const id of odd)
      await deposit(project, id, { 'x-tiny': 1e-7, 'x-__proto__': { b: [null], a: '\u2028' } });
    // More than one page of a list.
    await Promise.all(Array.from({ length: 205 }, (_, i) => deposit(project, `many-${i}`)));
    await deposit(project, 'gate', { status: 'awaiting_review', review_type: 'agent' });
    await deposit(project, 'waits', { status: 'awaiting_review', review_type: 'human' });
    const path = `/v1/packages/gate/review?project=${project}`;
    expect((await send('POST', path, { verdict: 'request_changes', note: 'Not yet' })).status).toBe(200);
    for (const value of ['one', 'two', 'three']) await state(project, value);
    expect(await sync(project)).toMatchObject({ code: 0, packages: 211, reviews: 1, facts: 3 });
    expect(await exported(copy, project)).toEqual(await exported(source, project));

    await deposit(project, 'later', { parent_package_id: 'gate' });
    const person = { token: await worldOf(source).token('petra', 'human') };
    await send('POST', `/v1/packages/waits/review?project=${project}`, { verdict: 'approve' }, person);
    await state(project, 'four');
    await send('DELETE', `/v1/projects/${project}/facts?subject=s&predicate=p`);
    expect(await sync(project)).toMatchObject({ code: 0, packages: 1, reviews: 1, facts: 2 });
    expect(await exported(copy, project)).toEqual(await exported(source, project));
    expect(await sync(project)).toEqual({ code: 0 });
    const { json } = await worldOf(copy).send('GET', `/v1/projects/${project}/integrity`);
    expect(json).toEqual({ checked: 212, mismatches: [] });
  });

  it('destroys what was destroyed at its source', async () => {
    const project = await aProject();
    await deposit(project, 'leak', { title: 'The password is hunter2' });
    await sync(project);
    const redacted = await worldOf(source).send('POST', `/v1/packages/leak/redact?project=${project}`, {
      reason: 'A password',
    });
    expect(redacted.status).toBe(200);
    expect(await sync(project)).toEqual({ code: 0, redacted: 1 });
    const gone = await worldOf(copy).send('GET', `/v1/projects/${project}/packages/leak`);
    expect([gone.status, gone.text]).toEqual([410, expect.not.stringContaining('hunter2')]);
  });

  it('leaves out what is not what its hash says, takes the rest, and says so', async () => {
    const project = await aProject();
    for (const id of ['good', 'forged']) await deposit(project, id);
    proxy.tamper = (_, body) => body.replaceAll('Package forged', 'Package forged by somebody');
    expect(await sync(project)).toMatchObject({ code: 6, packages: 1, mismatched: ['forged'] });
    const { packages } = await exported(copy, project, ['packages']);
    expect(packages!.map((line) => JSON.parse(line).package_id)).toEqual(['good']);
  });

  it('reads a server without pages, changes or a history of facts, again and again', async () => {
    const project = await aProject();
    proxy.unknown = /\/(sync|changes|facts)\b|^\/v1\/projects\/[^/]*$/;
    proxy.unpaged = true;
    // An answer without an envelope, and with no hash beside it.
    proxy.tamper = (path, body) =>
      path.includes('envelope=') ? JSON.stringify(JSON.parse(body).package) : body;
    await Promise.all(Array.from({ length: 203 }, (_, i) => deposit(project, `many-${i}`)));
    for (const value of ['old', 'new']) await state(project, value);
    await worldOf(copy).send('POST', '/v1/projects', { project_id: project });
    expect(await sync(project)).toMatchObject({ code: 0, packages: 203, facts: 1 });
    await deposit(project, 'second');
    expect(await sync(project)).toMatchObject({ code: 0, packages: 1, facts: 0 });
    expect(await exported(copy, project, ['packages', 'hashes'])).toEqual(
      await exported(source, project, ['packages', 'hashes']),
    );
  });

  it('says what was reviewed over there without a log that could be followed', async () => {
    const project = await aProject();
    proxy.tamper = (path, body) =>
      path.includes('envelope=') ? JSON.stringify(JSON.parse(body).package) : body;
    await deposit(project, 'gate', { status: 'awaiting_review', review_type: 'agent' });
    await sync(project);
    await worldOf(source).send('POST', `/v1/packages/gate/review?project=${project}`, { verdict: 'approve' });
    expect(await sync(project)).toMatchObject({
      packages: 0,
      warnings: ['gate is complete there, without a log that says how; here it stays awaiting_review.'],
    });
  });

  it('is not made of a project that is not there', async () => {
    const ran = await runBaton(
      [
        'sync',
        '--project',
        'nowhere',
        '--from',
        proxy.url,
        '--from-token',
        source.ownerToken,
        '--to',
        copy.url,
      ],
      { env: { BATON_DATA: folder, BATON_TOKEN: copy.ownerToken } },
    );
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('project_not_found')]);
  });
});
