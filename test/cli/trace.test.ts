import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidV7Source } from '../../src/kernel/ids.ts';
import { formatMicros } from '../../src/kernel/instant.ts';
import { eventHash, GENESIS_HASH } from '../../src/kernel/trace/event.ts';
import { traceEventLine } from '../../src/kernel/trace/line.ts';
import { nodeHasher } from '../../src/platform/index.ts';
import { fakeClock, seededRandom } from '../../src/platform/testing.ts';
import { runBaton } from '../setup/cli.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baton-trace-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

function chainText(events: number, result = 'allow'): string {
  const clock = fakeClock();
  const ids = uuidV7Source(clock, seededRandom(1));
  const [session_id, trace_id] = [ids(), ids()];
  let previous_event_hash = GENESIS_HASH;
  let text = '';
  for (let sequence = 0; sequence < events; sequence += 1) {
    const event = {
      trace_version: '1.0' as const,
      event_id: ids(),
      trace_id,
      span_id: ids(),
      parent_span_id: null,
      session_id,
      sequence,
      timestamp: formatMicros(clock.now() + sequence),
      event_type: sequence === 0 ? 'session.started' : 'policy.evaluated',
      payload: { policy_id: `p${sequence}`, result },
      previous_event_hash,
    };
    previous_event_hash = eventHash(nodeHasher, event);
    text += `${traceEventLine({ ...event, event_hash: previous_event_hash })}\n`;
  }
  return text;
}

async function verify(text: string, ...args: string[]) {
  const file = join(folder, 'x.trace.jsonl');
  await writeFile(file, text);
  const { code, stdout } = await runBaton(['trace', 'verify', file, '--json', ...args]);
  return {
    code,
    report: JSON.parse(stdout) as { valid: boolean; errors: { index: number; error: string }[] },
  };
}

describe('baton trace verify', () => {
  const sound = chainText(6);

  it('accepts a sound file and says that it has not ended', async () => {
    expect(await verify(sound)).toMatchObject({ code: 0, report: { valid: true, ended: false } });
  });

  it('names the event that was changed', async () => {
    const { code, report } = await verify(sound.replace('"policy_id":"p3"', '"policy_id":"p9"'));
    expect(code).toBe(6);
    expect(report.errors[0]).toMatchObject({ index: 3, error: 'hash_mismatch' });
  });

  it('names a line that was respelt, which no hash notices: one space', async () => {
    const respelt = sound.replace('"payload":{"policy_id":"p2"', '"payload": {"policy_id":"p2"');
    const { report } = await verify(respelt);
    expect(report).toMatchObject({ valid: true, warnings: [{ index: 2, warning: 'other_spelling' }] });
    expect((await verify(respelt, '--mode', 'exact')).report).toMatchObject({
      valid: false,
      errors: [{ index: 2 }],
    });
  });

  it('takes compact JSON with letters where we escape, and calls an edited payload what it is', async () => {
    const written = chainText(4, 'für');
    const foreign = written.replaceAll('\\u00fc', 'ü');
    expect(foreign).not.toBe(written);
    expect((await verify(foreign)).report).toMatchObject({ valid: true });
    const { report } = await verify(foreign.replace('für', 'fur'));
    expect(report).toMatchObject({ valid: false, errors: [{ index: 0, error: 'hash_mismatch' }] });
  });

  it('notices a line end that became another', async () => {
    expect((await verify(sound.replace('\n', '\r'))).report.valid).toBe(false);
  });

  it('takes a file that another implementation wrote, spaces and all', async () => {
    const spaced = sound.replaceAll('","', '", "');
    expect((await verify(spaced)).report.valid).toBe(true);
    expect((await verify(spaced, '--mode', 'exact')).report.valid).toBe(false);
  });
});

describe('baton trace hash', () => {
  it('prints one hash per event', async () => {
    const text = chainText(3);
    const { stdout } = await runBaton(['trace', 'hash', '-'], { input: text });
    expect(stdout.trim().split('\n')).toEqual(
      [...text.matchAll(/"event_hash":"(\w+)"/g)].map(([, hash]) => hash),
    );
  });

  it('refuses what strict reading refuses, and hashes it leniently when asked', async () => {
    const line = chainText(1).replace('"sequence":0', '"sequence":0,"sequence":0');
    expect((await runBaton(['trace', 'hash', '-'], { input: line })).code).toBe(2);
    expect((await runBaton(['trace', 'hash', '-', '--lenient'], { input: line })).code).toBe(0);
  });
});

describe('a reader that leaves', () => {
  it('ends a command without an error', async () => {
    const file = join(folder, 'long.trace.jsonl');
    await writeFile(file, chainText(5_000));
    const { code, stderr } = await runBaton(['trace', 'hash', file], { leaves: true });
    expect([code, stderr]).toEqual([0, '']);
  });
});
