import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeOnSqlite } from '../../../spine/storage/testing.ts';
import { actionOf, manifestOf } from '../testing/manifest.ts';
import { openWorld, worldMigrations } from '../testing/world.ts';
import { exportTraceFile } from './export.ts';
import { diffTraceFiles, impactOfAtlas, replayTraceFile, showTraceFile } from './files.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'baton-trace-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

describeOnSqlite('a trace on file', (open) => {
  it('is shown, replayed, judged against a new Atlas, and compared', async () => {
    const world = await openWorld(await open(worldMigrations));
    const root = await folder();
    const policies = [{ policy_id: 'all', type: 'allow' as const }];
    const manifest = manifestOf({ actions: [actionOf('a.get')], policies });
    await world.load(manifest);
    const session = await world.start();
    await world.resolve(session);
    const lines = await world.send('GET', `/v1/traces/${session}`, undefined, {
      headers: { accept: 'application/x-ndjson' },
    });
    const inputs = await world.send('GET', `/v1/traces/${session}/inputs`);
    const at = (name: string) => join(root, name);
    await writeFile(at('one.trace.jsonl'), lines.body);
    await writeFile(
      at('one.inputs.jsonl'),
      inputs.body.items.map((each: object) => JSON.stringify(each)).join('\n'),
    );
    await writeFile(at('old.json'), JSON.stringify(manifest));
    await writeFile(at('new.json'), JSON.stringify({ ...manifest, version: '2.0.0', policies: [] }));

    expect(await showTraceFile(at('one.trace.jsonl'))).toMatchObject({
      session_id: session,
      agent_id: 'bot',
      event_count: 4,
    });
    expect(
      await replayTraceFile(at('one.trace.jsonl'), at('one.inputs.jsonl'), [at('old.json')]),
    ).toMatchObject({ deterministic: true });
    expect(
      await replayTraceFile(at('one.trace.jsonl'), at('one.inputs.jsonl'), [at('new.json')]),
    ).toMatchObject({ deterministic: false });
    expect(await impactOfAtlas([at('one.inputs.jsonl')], [at('old.json')], at('new.json'))).toMatchObject({
      requests: 1,
      changed: [{ action_id: 'a.get', before: { effect: 'allow' }, after: { effect: 'deny' } }],
    });
    expect((await diffTraceFiles(at('one.trace.jsonl'), at('one.trace.jsonl'))).compatibility).toBe(
      'identical',
    );
    expect(await exportTraceFile(at('one.trace.jsonl'), 'jsonl')).toBe(lines.body);
  });
});

describe('exports', () => {
  const file = join(import.meta.dirname, '../../../../specs/conformance/hash-chain/valid.trace.jsonl');

  it('are read by log collectors and by tracing tools', async () => {
    const cef = await exportTraceFile(file, 'cef');
    expect(cef.split('\n')[0]).toMatch(
      /^CEF:0\|Baton\|Baton\|1\|session\.started\|session\.started\|1\|externalId=/,
    );
    const otel = JSON.parse(await exportTraceFile(file, 'otel'));
    const [span] = otel.resourceSpans[0].scopeSpans[0].spans;
    expect(span).toMatchObject({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });
});
