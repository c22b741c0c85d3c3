import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runAgent } from './agent-process.ts';

it('stops a program that prints more than can be kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'baton-flood-'));
  try {
    const outcome = await runAgent({
      argv: ['sh', '-c', 'while :; do head -c 1000000 /dev/zero | tr "\\0" x; done'],
      cwd: folder,
      env: { PATH: process.env.PATH },
      timeoutMs: 60_000,
      maxOutput: 1000,
      mostPrinted: 5_000_000,
      slot: {
        folder: join(folder, 'slot'),
        claim: join(folder, 'claim'),
        running: null,
        started: async () => {},
      },
    });
    expect(outcome).toMatchObject({ flooded: true, timedOut: false });
    expect(outcome.stdout).toHaveLength(1000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
