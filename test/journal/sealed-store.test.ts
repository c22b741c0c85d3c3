import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../src/spine/journal/testing.ts';
import { openDatabase } from '../../src/spine/storage/open.ts';
import { startTestServer } from '../setup/server.ts';

it('a server with a payload key keeps no payload in the clear, answers with all of them, and verifies', async () => {
  const dataDir = await temporaryFolder();
  const file = join(dataDir, 'payload.keys');
  await writeFile(file, `${randomBytes(32).toString('base64')}\n`);
  const server = await startTestServer({ dataDir, payloadKeys: { file } });
  const goal = 'Find out why the invoice of March is wrong';
  const started = await server.fetch('/v1/sessions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ agent_id: 'analyst', goal }),
  });
  const { session_id: id } = (await started.json()) as { session_id: string };
  const trace = (await (await server.fetch(`/v1/traces/${id}`)).json()) as { payload: object }[];
  expect(trace[0]?.payload).toEqual({ agent_id: 'analyst', goal });
  const verified = await server.fetch(`/v1/traces/${id}/verify`, { method: 'POST' });
  expect(await verified.json()).toMatchObject({ valid: true });
  expect(await server.client.call('journal.verify', {})).toMatchObject({ valid: true });
  await server.close();

  const db = await openDatabase(`sqlite:${join(dataDir, 'baton.db')}`);
  onTestFinished(() => db.close());
  const rows = await db.read((reader) => reader.all<{ payload: string }>('select payload from events'));
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ payload }) => !payload.startsWith('sealed:'))).toEqual([]);

  await rm(file);
  await expect(startTestServer({ dataDir, payloadKeys: { file } })).rejects.toMatchObject({
    code: 'payload_keys_unreadable',
  });
});
