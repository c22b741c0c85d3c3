import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeLock } from './accept-lock.ts';

describe('the accept lock', () => {
  let directory: string;
  let file: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'baton-lock-'));
    file = join(directory, 'locks', 'accept-turn.lock');
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const claim = (pid: number, host = hostname()) => JSON.stringify({ pid, host, token: 'other' });
  const leave = async (text: string) => {
    const release = await takeLock(file, { token: 'a' });
    await release();
    writeFileSync(file, text);
  };

  it('is held by one at a time and says who holds it', async () => {
    const release = await takeLock(file, { token: 'a' });
    await expect(takeLock(file, { token: 'b', waitMs: 50 })).rejects.toMatchObject({ code: 'lock_timeout' });
    await release();
    expect(existsSync(file)).toBe(false);
  });

  it('lets many wait for each other', async () => {
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const release = await takeLock(file, { token: `t${index}`, waitMs: 120_000 });
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setTimeout(resolve, 5));
        inside -= 1;
        await release();
      }),
    );
    expect(most).toBe(1);
  });

  it('of a dead process is taken over at once', async () => {
    await leave(claim(2 ** 22 + 12345));
    const release = await takeLock(file, { token: 'b', waitMs: 50 });
    await release();
  });

  it('of another machine is taken over once it is old', async () => {
    await leave(claim(1, 'elsewhere'));
    await expect(takeLock(file, { token: 'b', waitMs: 50 })).rejects.toMatchObject({ code: 'lock_timeout' });
    const old = new Date(Date.now() - 31_000);
    utimesSync(file, old, old);
    const release = await takeLock(file, { token: 'b', waitMs: 50 });
    await release();
  });

  it('is not released by somebody who has lost it', async () => {
    const release = await takeLock(file, { token: 'a' });
    writeFileSync(file, claim(process.pid));
    await release();
    expect(existsSync(file)).toBe(true);
  });
});
