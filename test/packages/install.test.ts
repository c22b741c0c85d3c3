import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findServer } from '../../src/app/server-file.ts';
import { pageUrl } from '../../src/kernel/page-url.ts';
import { softAuthenticator } from '../../src/spine/identity/logins/testing-authenticator.ts';
import { describeInChromium } from '../browser/chromium.ts';
import { installIn, type PackageName, type Packed, packAll } from './packed.ts';

const MB = 1e6;
const run = promisify(execFile);

let home: string;
let packed: Readonly<Record<PackageName, Packed>>;
let places: Readonly<Record<PackageName, string>>;
let server: { readonly url: string; readonly token: string };
let child: ChildProcess;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'baton-packages-'));
  packed = await packAll(home);
  const installed = Object.values(packed).map(
    async (one) => [one.name, await installIn(join(home, 'installed', one.name), one)] as const,
  );
  places = Object.fromEntries(await Promise.all(installed)) as Record<PackageName, string>;
  server = await start(join(home, 'data'));
}, 300_000);

afterAll(async () => {
  child?.kill('SIGKILL');
  await rm(home, { recursive: true, force: true, maxRetries: 3 });
});

/** What the name of a program stands for in an installed package. */
function program(name: PackageName, bin: string): string {
  return join(places[name], 'node_modules', '.bin', bin);
}

async function start(dataDir: string): Promise<typeof server> {
  child = spawn(program('baton-ledger', 'baton'), ['up', '--port', '0'], {
    env: { PATH: process.env.PATH ?? '', BATON_DATA: dataDir, BATON_LOG: 'fatal' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await vi.waitFor(() => expect(findServer(dataDir)?.pid).toBe(child.pid), {
    timeout: 60_000,
    interval: 100,
  });
  const token = (await readFile(join(dataDir, 'owner.key'), 'utf8')).trim();
  return { url: findServer(dataDir)?.url ?? '', token };
}

async function bytesUnder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  // Whole blocks, as `du` counts them.
  const sizes = entries.map(async (entry) => {
    const { blocks, size } = await stat(join(entry.parentPath, entry.name));
    return blocks === undefined ? size : blocks * 512;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

describe('the packages', () => {
  it('may be published, and publint has nothing to say', async () => {
    for (const { archive, manifest } of Object.values(packed)) {
      expect(manifest.private).toBeUndefined();
      const { buffer: tarball } = new Uint8Array(await readFile(archive));
      expect((await publint({ pack: { tarball } })).messages).toEqual([]);
    }
  });

  it('contain what they need once, the notices of what is bundled, and nothing else', () => {
    const [ledger, client, conformance] = Object.values(packed).map(({ files }) => files);
    expect(ledger).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'dist/THIRD-PARTY-NOTICES.txt',
        'dist/baton.cjs',
        'dist/core.cjs',
        'dist/verify-worker.js',
        'dist/work-thread.js',
        'web/dist/index.html',
      ]),
    );
    expect(ledger?.filter((file) => file.endsWith('vectors.i8'))).toEqual(['data/word-vectors/vectors.i8']);
    expect(client).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/verify.d.ts']),
    );
    expect(conformance).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'dist/THIRD-PARTY-NOTICES.txt', 'dist/bin.js']),
    );
    const strange = Object.values(packed)
      .flatMap(({ files }) => files)
      .filter((file) => /\.map$|(?<!\.d)\.tsx?$|\.test\.|node_modules|^src\//.test(file));
    expect(strange).toEqual([]);
  });

  it('name every package in the notices of which something is bundled', async () => {
    const notices = await readFile(
      join(packed['baton-ledger'].source, 'dist/THIRD-PARTY-NOTICES.txt'),
      'utf8',
    );
    for (const name of ['commander', 'hono', 'jose', 'pg', 'pino', 'react', 'tailwindcss', 'zod']) {
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
    }
    expect(notices).toMatch(/Copyright/);
  });

  it('install nothing that is bundled, and stay small', async () => {
    const beside = async (name: PackageName) =>
      (await readdir(join(places[name], 'node_modules'))).filter((file) => !file.startsWith('.'));
    expect(await beside('baton-ledger')).toEqual(expect.arrayContaining(['@photostructure', 'baton-ledger']));
    for (const bundled of ['commander', 'hono', 'pg', 'pino', 'zod']) {
      expect(await beside('baton-ledger')).not.toContain(bundled);
    }
    expect(await beside('@baton-ledger/client')).toEqual(['@baton-ledger']);
    expect(await beside('@baton-ledger/conformance')).toEqual(['@baton-ledger']);
    expect(packed['baton-ledger'].size).toBeLessThan(7.5 * MB);
    expect(packed['@baton-ledger/client'].size).toBeLessThan(0.1 * MB);
    expect(await bytesUnder(places['baton-ledger'])).toBeLessThan(45 * MB);
  });
});

describe('baton-ledger', () => {
  it('goes by both of its names', async () => {
    for (const bin of ['baton', 'baton-ledger']) {
      const { stdout } = await run(program('baton-ledger', bin), ['--version']);
      expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    }
  });

  it('finds its word vectors: search goes by meaning', async () => {
    const env = { PATH: process.env.PATH, BATON_URL: server.url, BATON_TOKEN: server.token };
    const baton = (...args: string[]) => run(program('baton-ledger', 'baton'), args, { env });
    await baton('deposit', '--title', 'Repaired the automobile');
    await expect
      .poll(async () => (await baton('search', 'car', '--json')).stdout, { timeout: 30_000 })
      .toMatch(/automobile/);
  });
});

describe('the passkeys of an installed package', () => {
  it('are taken and prove presence, although the bundle has only what they need of their libraries', async () => {
    const origin = pageUrl(server.url);
    const send = async (path: string, headers: Record<string, string>, body: object = {}) => {
      const response = await fetch(`${origin}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      // biome-ignore lint/suspicious/noExplicitAny: answers of several shapes
      return { status: response.status, headers: response.headers, json: (await response.json()) as any };
    };
    const { json: made } = await send('/v1/dashboard/links', { authorization: `Bearer ${server.token}` });
    const opened = await send('/v1/dashboard/session', {}, { link: made.link });
    const page = {
      cookie: opened.headers.get('set-cookie')?.split(';')[0] ?? '',
      'x-csrf-token': opened.json.csrf_token,
      origin,
    };
    expect(opened.json).toMatchObject({ csrf_token: expect.any(String) });
    const device = softAuthenticator(origin);
    const asked = await send('/v1/passkeys/registration', page);
    expect(asked.json).toMatchObject({ rp: { id: 'localhost' } });
    const registered = await send('/v1/passkeys', page, { answer: device.create(asked.json) });
    expect(registered.json).toMatchObject({ passkey_id: expect.any(String) });
    const challenge = await send('/v1/passkeys/challenge', page);
    const forged = await send('/v1/passkeys/presence', page, {
      answer: device.get(challenge.json, { foreignKey: true }),
    });
    expect(forged.json).toMatchObject({ error: { code: 'passkey_refused' } });
    const again = await send('/v1/passkeys/challenge', page);
    const proved = await send('/v1/passkeys/presence', page, { answer: device.get(again.json) });
    expect(proved.status).toBe(200);
  });
});

describeInChromium('the dashboard of an installed package', (browser) => {
  it('opens with the link that a command prints', async () => {
    const { stdout } = await run(program('baton-ledger', 'baton'), ['open', '--print'], {
      env: { PATH: process.env.PATH, BATON_DATA: join(home, 'data') },
    });
    const page = await browser().newPage();
    await page.goto(stdout.split('\n', 1)[0] ?? '');
    await page.getByRole('navigation').first().waitFor();
    expect(await page.title()).toMatch(/Baton/);
    await page.close();
  });
});

describe('@baton-ledger/client', () => {
  it('imports nothing outside itself', async () => {
    const folder = join(places['@baton-ledger/client'], 'node_modules/@baton-ledger/client/dist');
    const files = (await readdir(folder, { recursive: true })).filter((name) => /\.(js|d\.ts)$/.test(name));
    for (const name of files) {
      const text = await readFile(join(folder, name), 'utf8');
      const imports = [
        ...text.matchAll(/(?:^(?:import|export)\b[^'"]*?\bfrom |import\()['"]([^'"]+)['"]/gm),
      ].map(([, to]) => to!);
      for (const to of imports) {
        const file = join(dirname(join(folder, name)), to);
        expect(to.startsWith('.') && file.startsWith(folder), `${name} imports ${to}`).toBe(true);
        await stat(name.endsWith('.d.ts') ? file.replace(/\.js$/, '.d.ts') : file);
      }
    }
  });

  it('runs a small program that deposits, orients, resolves and executes, and recalls', async () => {
    const folder = places['@baton-ledger/client'];
    await copyFile(join(import.meta.dirname, 'program.mjs'), join(folder, 'program.mjs'));
    const { stdout } = await run(process.execPath, ['program.mjs'], {
      cwd: folder,
      env: { BATON_URL: server.url, BATON_TOKEN: server.token },
    });
    const { briefing, status, recalled } = JSON.parse(stdout);
    expect(briefing).toMatch(/Learned to greet/);
    expect(status).toBe('success');
    expect(recalled).toEqual(['Prefers short answers']);
  });

  it('gives that program its types, and refuses what the server would', async () => {
    const folder = places['@baton-ledger/client'];
    const source = await readFile(join(import.meta.dirname, 'program.mjs'), 'utf8');
    await writeFile(
      join(folder, 'program.mts'),
      `declare const process: { env: Record<string, string> };\n${source}`,
    );
    await writeFile(
      join(folder, 'wrong.mts'),
      `import { createClient } from '@baton-ledger/client';
import { checkProof } from '@baton-ledger/client/verify';
export const valid: Promise<{ valid: boolean }> = checkProof('{}');
// @ts-expect-error: an unknown operation
createClient().call('packages.unwrite', {});
// @ts-expect-error: a title is missing
createClient().call('packages.write', {});
// @ts-expect-error: a number is no title
createClient().call('packages.write', { title: 1 });
`,
    );
    const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
    const options = '--noEmit --strict --target es2022 --module nodenext --lib es2023,dom --types'.split(' ');
    const checked = await run(process.execPath, [tsc, 'program.mts', 'wrong.mts', ...options, ''], {
      cwd: folder,
    }).catch((error) => error);
    expect(checked.stdout).toBe('');
  });
});

describe('@baton-ledger/conformance', () => {
  const judge = (...args: string[]) =>
    run(program('@baton-ledger/conformance', 'baton-conformance'), [...args, '--url', server.url], {
      env: { PATH: process.env.PATH, BATON_TOKEN: server.token },
    });

  it('judges the server by each of its suites', { timeout: 300_000 }, async () => {
    expect((await judge('agentic')).stdout).toMatch(/L3 reached/);
    expect((await judge('agentxchain', '--tier', '3', '--json')).stdout).toMatch(/"overall": "pass"/);
    expect((await judge('relay', '--json')).stdout).toMatch(/"passed":true/);
    expect((await judge('cra', '--only', 'atlas.')).stdout).toMatch(/ 0 failed/);
  });

  it('says what it cannot judge, and ends with 2', async () => {
    const failed = await run(program('@baton-ledger/conformance', 'baton-conformance'), [
      'agentic',
      '--url',
      'http://127.0.0.1:1',
    ]).catch((error) => error);
    expect(failed).toMatchObject({ code: 2, stderr: expect.stringMatching(/does not answer/) });
  });
});
