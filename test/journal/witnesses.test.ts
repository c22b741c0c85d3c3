import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { openApp } from '../../src/app/compose.ts';
import { readSettings } from '../../src/app/settings.ts';
import { parseCheckpoint } from '../../src/kernel/note/checkpoint.ts';
import { parseNote } from '../../src/kernel/note/signed-note.ts';
import { fakeClock } from '../../src/platform/testing.ts';
import { temporaryFolder } from '../../src/spine/journal/testing.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type StandInWitness, startWitness } from './stand-in-witness.ts';

describeOnEachEngine('witnesses of the journal', (open) => {
  // Before the engine's own clean-up, which takes the store away.
  const running: TestServer[] = [];
  afterEach(async () => {
    for (const server of running.splice(0)) await server.close();
  });

  async function witness(name = 'witness.example/one'): Promise<StandInWitness> {
    const started = await startWitness(name);
    onTestFinished(() => started.close());
    return started;
  }

  /** A server of the whole product that asks these witnesses. */
  async function serverAsking(witnesses: readonly StandInWitness[], more: Record<string, string> = {}) {
    const clock = fakeClock();
    const settings = {
      ...readSettings({
        BATON_DATA: await temporaryFolder(),
        BATON_PORT: '0',
        BATON_WITNESSES: witnesses.map(({ entry }) => entry).join(', '),
        BATON_ALLOWED_WITNESS_HOSTS: witnesses.map(({ host }) => host).join(','),
        ...more,
      }),
      ...(open.engine === 'postgres' && { databaseUrl: open.urlOf(await open([])) }),
    };
    const server = await startTestServer(settings, { clock });
    running.push(server);
    const deposit = () => server.client.call('packages.write', { title: 'A note' });
    const asking = () =>
      server.app.db.read((reader) =>
        reader.all(
          "select job_id from jobs where kind = 'journal.cosign' and state in ('queued', 'running')",
        ),
      );
    /** As the server does within two seconds, when this much time has passed. */
    const round = async (seconds = 10_000) => {
      clock.advance({ seconds });
      await server.app.drain();
      await vi.waitFor(async () => expect(await asking()).toEqual([]));
      await server.app.drain();
    };
    const checkpoint = () => server.client.call('journal.checkpoint', {});
    return { ...server, deposit, round, checkpoint };
  }

  it('cosign the newest checkpoint, again and again, each with the proof from what it saw last', async () => {
    const [one, two] = [await witness('witness.example/one'), await witness('witness.example/two')];
    const server = await serverAsking([one, two]);
    for (const each of [one, two]) each.knows(server.app.tree.signer.verifierKey);
    for (let n = 0; n < 3; n += 1) {
      await server.deposit();
      await server.round();
    }
    // The last round wrote what `why` knows of the deposit; after another one nothing is left to record.
    await server.round();
    const made = await server.checkpoint();
    expect(made.witnesses).toEqual([
      { name: 'witness.example/one', cosigned: made.size, error: null },
      { name: 'witness.example/two', cosigned: made.size, error: null },
    ]);
    expect(one.seen?.size).toBe(made.size);
    expect(one.requests.map(({ old }) => old)).toEqual([...new Set(one.requests.map(({ old }) => old))]);
    expect(parseNote(made.note).signatures.map(({ name }) => name)).toEqual([
      parseCheckpoint(parseNote(made.note).text).origin,
      'witness.example/one',
      'witness.example/two',
    ]);
    const { kept, ...report } = await server.client.call('journal.verify', {
      checkpoints: [made.note],
      witness_keys: [one.key, two.key],
    });
    expect(report).toMatchObject({ valid: true });
    expect(kept?.witnesses.map(({ name, size }) => [name, size])).toEqual([
      ['witness.example/one', made.size],
      ['witness.example/two', made.size],
    ]);
    const { checks, status } = await server.client.call('system.health', {});
    expect({ status, check: checks.witnesses }).toMatchObject({
      status: 'healthy',
      check: { status: 'pass' },
    });
  });

  it('that have seen another size are asked again from there', async () => {
    const one = await witness();
    const server = await serverAsking([one]);
    one.knows(server.app.tree.signer.verifierKey);
    await server.deposit();
    await server.round();
    const { size } = one.seen!;
    await server.app.db.write((uow) => uow.run('update witnesses set cosigned_size = 0'));
    await server.deposit();
    await server.round();
    expect(one.requests.slice(-2).map(({ old }) => old)).toEqual([0, size]);
    expect(one.seen!.size).toBeGreaterThan(size);
  });

  it.each([
    ['does not know the log', undefined, 'unknown_log', 'warn'],
    ['does not answer', () => ({ status: 503, text: '' }), 'status_503', 'warn'],
    ['answers nonsense', () => ({ status: 200, text: 'signed, promise\n' }), 'unusable_answer', 'warn'],
    ['answers a conflict without a size', () => ({ status: 409, text: 'later' }), 'unusable_answer', 'warn'],
    ['refuses the signature', () => ({ status: 403, text: '' }), 'untrusted_key', 'warn'],
    ['refuses the proof', () => ({ status: 422, text: '' }), 'disagrees', 'fail'],
    ['has seen more than there is', () => ({ status: 409, text: '999\n' }), 'ahead', 'fail'],
  ] as const)(
    'that %s leave the journal uncosigned, and health and the checkpoint say so',
    async (_, how, error, status) => {
      const one = await witness();
      const server = await serverAsking([one]);
      one.misbehave(how);
      await server.deposit();
      await server.round();
      const made = await server.checkpoint();
      expect(made.witnesses).toMatchObject([{ error }]);
      expect(parseNote(made.note).signatures).toHaveLength(1);
      const health = await server.client.call('system.health', {});
      expect(health).toMatchObject({ status: 'degraded', checks: { witnesses: { status } } });
      const report = await server.client.call('journal.verify', { witness_keys: [one.key] });
      expect(report.faults.map(({ kind }) => kind)).toEqual(['cosignature_missing']);
      // It is not asked at once again, and it is asked again.
      const asked = one.requests.length;
      await server.round(1);
      expect(one.requests.length).toBe(asked);
      one.misbehave(undefined);
      one.knows(server.app.tree.signer.verifierKey);
      await server.round();
      expect((await server.checkpoint()).witnesses).toMatchObject([{ error: null, cosigned: made.size }]);
    },
  );

  it('take no signature by another key for the cosignature of the witness', async () => {
    const [one, impostor] = [await witness('witness.example/one'), await witness('witness.example/one')];
    const server = await serverAsking([one]);
    impostor.knows(server.app.tree.signer.verifierKey);
    one.misbehave(() => ({ status: 200, text: '\u2014 witness.example/one AAAAAGFiY2Q=\n' }));
    await server.deposit();
    await server.round();
    expect((await server.checkpoint()).witnesses).toMatchObject([{ error: 'unusable_answer', cosigned: 0 }]);
  });

  it('show that an older copy of the store was restored, which nothing inside it can', async () => {
    const one = await witness();
    const server = await serverAsking([one]);
    one.knows(server.app.tree.signer.verifierKey);
    await server.deposit();
    await server.round();
    const before = await server.checkpoint();
    // The witness saw a later checkpoint, which the restored copy knows nothing of.
    one.restored({ size: before.size + 5, root: new Uint8Array(32) });
    await server.app.db.write((uow) => uow.run('update witnesses set cosigned_size = 0'));
    await server.round();
    expect((await server.checkpoint()).witnesses).toMatchObject([{ error: 'ahead' }]);
    // The copy grows past that size, with other events: the proof cannot be made.
    for (let n = 0; n < 6; n += 1) await server.deposit();
    await server.round();
    expect((await server.checkpoint()).witnesses).toMatchObject([{ error: 'disagrees' }]);
    const health = await server.client.call('system.health', {});
    expect(health.checks.witnesses).toMatchObject({ status: 'fail' });
  });

  it('whose stored cosignatures are edited are told by size and name', async () => {
    const one = await witness();
    const server = await serverAsking([one]);
    one.knows(server.app.tree.signer.verifierKey);
    await server.deposit();
    await server.round();
    const key = `${one.seen!.size}/witness.example/one`;
    for (const edit of ['time_s = time_s + 1', "line = replace(line, 'A', 'B')", 'size = size + 1000']) {
      const row = await server.app.db.read((reader) =>
        reader.get<{ size: number; line: string; time_s: number }>(
          'select size, line, time_s from cosignatures',
        ),
      );
      await server.app.db.write((uow) => uow.run(`update cosignatures set ${edit}`));
      const { faults } = await server.client.call('journal.verify', {});
      expect(faults.map(({ kind, table }) => [kind, table])).toEqual([
        ['cosignature_forged', 'cosignatures'],
      ]);
      if (!edit.startsWith('size')) expect(faults[0]?.key).toBe(key);
      await server.app.db.write((uow) =>
        uow.run('update cosignatures set size = ?, line = ?, time_s = ?', [
          row!.size,
          row!.line,
          row!.time_s,
        ]),
      );
    }
    expect(await server.client.call('journal.verify', {})).toMatchObject({ valid: true });
  });

  it('at a private address are not reached unless it is allowed', async () => {
    const one = await witness();
    const server = await serverAsking([one], { BATON_ALLOWED_WITNESS_HOSTS: '' });
    await server.deposit();
    await server.round();
    expect((await server.checkpoint()).witnesses).toMatchObject([{ error: 'unreachable' }]);
    expect(one.requests).toEqual([]);
  });

  it('are refused at start when they are not written as address and key', async () => {
    const one = await witness();
    for (const entry of ['https://witness.example', `nowhere ${one.key}`, `${one.entry}, ${one.entry}`]) {
      const settings = readSettings({ BATON_DATA: await temporaryFolder(), BATON_WITNESSES: entry });
      await expect(openApp(settings)).rejects.toMatchObject({ code: 'witness_misconfigured' });
    }
  });
});
