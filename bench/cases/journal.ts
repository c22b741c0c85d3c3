import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { uuidV7Source } from '../../src/kernel/ids.ts';
import { formatMicros } from '../../src/kernel/instant.ts';
import { canonicalAppendixB } from '../../src/kernel/json/canonical/appendix-b.ts';
import type { JsonObject } from '../../src/kernel/json/value.ts';
import { checkProofBundle, formatProofBundle } from '../../src/kernel/proof-bundle.ts';
import { eventHash, eventPreimage, GENESIS_HASH, type TraceEvent } from '../../src/kernel/trace/event.ts';
import { traceEventLine } from '../../src/kernel/trace/line.ts';
import { createChainVerifier } from '../../src/kernel/trace/verify-chain.ts';
import { ed25519, nodeHasher, nodeRandom, systemClock } from '../../src/platform/index.ts';
import { exportChain } from '../../src/spine/journal/chains/export-chain.ts';
import { createJournal } from '../../src/spine/journal/journal.ts';
import { journalMigrations } from '../../src/spine/journal/migrations.ts';
import { createSequencer } from '../../src/spine/journal/numbers/sequencer.ts';
import { loadSigner } from '../../src/spine/journal/tree/signing-key.ts';
import { createTree } from '../../src/spine/journal/tree/tree.ts';
import { openDatabase } from '../../src/spine/storage/open.ts';
import { type BenchCase, type Fact, median, quantile, type Side } from '../harness.ts';

const STORED = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const CHAIN = 50_000;
const PROOFS = 200;
const BATON = resolve('dist/baton.js');

const ids = uuidV7Source(systemClock, nodeRandom);

function payload(n: number): JsonObject {
  return {
    resolution_id: '01890000-0000-7000-8000-000000000abc',
    decision_type: n % 3 === 0 ? 'partial' : 'allow',
    allowed_count: n % 7,
    denied_count: n % 2,
    context_block_count: 2,
    ttl_seconds: 3600,
  };
}

/** A chain in memory: what appending costs without a store. */
function appendEvents(count: number, take: (event: TraceEvent) => void): number {
  const session = ids();
  const trace = ids();
  let previous = GENESIS_HASH;
  for (let sequence = 0; sequence < count; sequence += 1) {
    const unhashed = {
      trace_version: '1.0' as const,
      event_id: ids(),
      trace_id: trace,
      span_id: ids(),
      parent_span_id: null,
      session_id: session,
      sequence,
      timestamp: formatMicros(systemClock.now()),
      event_type: 'carp.resolution.completed',
      payload: payload(sequence),
      previous_event_hash: previous,
    };
    const event_hash = eventHash(nodeHasher, unhashed);
    previous = event_hash;
    take({ ...unhashed, event_hash });
  }
  return count;
}

function bareHashLoop(preimages: readonly string[]): Side {
  return () => {
    for (const preimage of preimages) createHash('sha256').update(preimage).digest('hex');
    return preimages.length;
  };
}

export const benchCase: BenchCase = {
  name: 'journal',
  title: `The journal at ${STORED.toLocaleString('en')} events`,
  async prepare() {
    const folder = await mkdtemp(join(tmpdir(), 'baton-bench-'));
    const chain: TraceEvent[] = [];
    appendEvents(CHAIN, (event) => chain.push(event));
    const preimages = chain.map((event) => eventPreimage(event, canonicalAppendixB(event.payload)));
    const lines = chain.map((event) => traceEventLine(event));
    const facts = await storeFacts(folder);
    return {
      comparisons: [
        {
          title: 'Appending to a chain in memory (id, time, canonical payload, hash)',
          unit: 'events',
          sides: {
            append: () => appendEvents(CHAIN, () => undefined),
            'bare SHA-256 of the same bytes': bareHashLoop(preimages),
          },
          goals: [{ text: 'at least 150,000 events/s', met: (rates) => rates.append! >= 150_000 }],
        },
        {
          title: 'Verifying a chain from its lines (syntax, link, sequence, hash)',
          unit: 'events',
          sides: {
            verify: () => {
              const verifier = createChainVerifier(nodeHasher, { kind: 'trace', mode: 'exact' });
              for (const line of lines) verifier.push(line);
              if (!verifier.finish().valid) throw new Error('the chain must verify');
              return lines.length;
            },
            'bare SHA-256 of the same bytes': bareHashLoop(preimages),
          },
          goals: [
            { text: 'at least 200,000 events/s', met: (rates) => rates.verify! >= 200_000 },
            {
              text: 'at least 30 % of the bare hash loop',
              met: (rates) => rates.verify! >= 0.3 * rates['bare SHA-256 of the same bytes']!,
            },
          ],
        },
        await durableComparison(folder),
      ],
      facts,
      close: () => rm(folder, { recursive: true, force: true }),
    };
  },
};

async function durableComparison(folder: string) {
  const db = await openDatabase(`sqlite:${join(folder, 'durable.db')}`);
  await db.migrate([...journalMigrations, bareTable]);
  const journal = createJournal({ hasher: nodeHasher, ids, clock: systemClock });
  const sessions = await db.write(async (uow) => {
    const opened: string[] = [];
    for (let i = 0; i < 64; i += 1) {
      const sessionId = ids();
      await journal.openChains(uow, { sessionId, ledgerId: ids(), projectId: 'p', traceId: ids() });
      opened.push(sessionId);
    }
    return opened;
  });
  const append = (sessionId: string, n: number) =>
    db.write((uow) =>
      journal.append(uow, {
        chain: { sessionId, kind: 'ledger' },
        type: 'bench.happened',
        payload: payload(n),
      }),
    );
  const bareRow = (n: number) =>
    db.write((uow) =>
      uow.run('insert into bench_rows (id, line) values (?, ?)', [ids(), `${'x'.repeat(560)}${n % 10}`]),
    );
  return {
    title: 'Durable appends, one unit each (SQLite, each commit flushed to the disk)',
    unit: 'events',
    sides: {
      '64 writers at once': async () => {
        await Promise.all(
          sessions.map(async (sessionId) => {
            for (let n = 0; n < 40; n += 1) await append(sessionId, n);
          }),
        );
        return 64 * 40;
      },
      'bare rows, 64 writers at once': async () => {
        await Promise.all(
          sessions.map(async () => {
            for (let n = 0; n < 40; n += 1) await bareRow(n);
          }),
        );
        return 64 * 40;
      },
      'one writer, one commit per event': async () => {
        for (let n = 0; n < 100; n += 1) await append(sessions[0]!, n);
        return 100;
      },
    },
    goals: [
      {
        text: 'at least 5,000 events/s with group commit',
        met: (rates: Readonly<Record<string, number>>) => rates['64 writers at once']! >= 5_000,
      },
    ],
  };
}

const bareTable = {
  name: 'bench/0001-rows',
  statements: (ddl: { text: string; end: string }) => [
    `create table bench_rows (id ${ddl.text} primary key, line ${ddl.text} not null) ${ddl.end}`,
  ],
};

/** Runs the built command line as users do, and watches its memory. */
async function runBaton(args: readonly string[], dataDir: string) {
  const started = performance.now();
  const child = spawn(process.execPath, [BATON, ...args], { env: { ...process.env, BATON_DATA: dataDir } });
  let output = '';
  let highestKb = 0;
  child.stdout.on('data', (text: Buffer) => {
    output += text;
  });
  const watch = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      highestKb = Math.max(highestKb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    } catch {
      // It has ended, or this system has no /proc: then the figure stays 0.
    }
  }, 50);
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(watch);
  if (code !== 0) throw new Error(`baton ${args.join(' ')} ended with ${code}: ${output}`);
  return { seconds: (performance.now() - started) / 1000, megabytes: highestKb / 1024 };
}

async function storeFacts(folder: string): Promise<Fact[]> {
  const db = await openDatabase(`sqlite:${join(folder, 'baton.db')}`);
  await db.migrate(journalMigrations);
  const journal = createJournal({ hasher: nodeHasher, ids, clock: systemClock });
  const sequencer = createSequencer(db);
  const signer = await loadSigner(db, folder, nodeRandom);
  const tree = createTree({ db, sequencer, hasher: nodeHasher, signer, clock: systemClock });
  const sessionId = ids();
  const ledgerId = ids();
  await db.write((uow) => journal.openChains(uow, { sessionId, ledgerId, projectId: 'p', traceId: ids() }));
  const eventIds: string[] = [];
  const started = performance.now();
  for (let done = 0; done < STORED; done += 500) {
    await db.write(async (uow) => {
      for (let n = done; n < Math.min(done + 500, STORED); n += 1) {
        const { eventId } = await journal.append(uow, {
          chain: { sessionId, kind: 'ledger' },
          type: 'bench.happened',
          payload: payload(n),
        });
        if (n % Math.ceil(STORED / PROOFS) === 0) eventIds.push(eventId);
      }
    });
  }
  const appendSeconds = (performance.now() - started) / 1000;
  await tree.checkpoint();
  const made: number[] = [];
  const checked: number[] = [];
  const followed: number[] = [];
  let hashes = 0;
  for (const eventId of [...eventIds, ...eventIds]) {
    const before = performance.now();
    const bundle = await tree.prove(eventId);
    made.push(performance.now() - before);
    hashes = Math.max(hashes, bundle.inclusion_path.length);
    const text = formatProofBundle(bundle);
    const checking = performance.now();
    const { valid } = await checkProofBundle(text, nodeHasher, ed25519.verify);
    checked.push(performance.now() - checking);
    const following = performance.now();
    await checkProofBundle(text, nodeHasher, () => true);
    followed.push(performance.now() - following);
    if (!valid) throw new Error('the proof must hold');
  }
  const file = join(folder, 'ledger.jsonl');
  await writeFile(file, exportChain(db, ledgerId));
  await db.close();
  const lines = await runBaton(['trace', 'verify', file, '--chain', 'ledger', '--mode', 'exact'], folder);
  const store = await runBaton(['journal', 'verify'], folder);
  const perMillion = 1_000_000 / STORED;
  const atMost = (text: string, value: number, limit: number) => ({ text, met: value <= limit });
  return [
    { name: `append ${STORED} events in units of 500`, value: STORED / appendSeconds, unit: 'events/s' },
    {
      name: 'verify a chain file, whole process',
      value: lines.seconds,
      unit: 's',
      goal: atMost('1 M events in at most 8 s', lines.seconds * perMillion, 8),
    },
    {
      name: 'its memory',
      value: lines.megabytes,
      unit: 'MB',
      goal: atMost('at most 150 MB', lines.megabytes, 150),
    },
    {
      name: 'verify the whole store, tree and signatures too, whole process',
      value: store.seconds,
      unit: 's',
      goal: atMost('1 M events in at most 30 s', store.seconds * perMillion, 30),
    },
    {
      name: 'its memory',
      value: store.megabytes,
      unit: 'MB',
      goal: atMost('at most 300 MB', store.megabytes, 300),
    },
    {
      name: 'proof built, p50',
      value: median(made),
      unit: 'ms',
      goal: atMost('at most 1 ms', median(made), 1),
    },
    { name: 'proof built, p95', value: quantile(made, 0.95), unit: 'ms' },
    {
      name: 'proof checked but for its signature, p50',
      value: median(followed),
      unit: 'ms',
      goal: atMost('at most 0.2 ms', median(followed), 0.2),
    },
    { name: 'proof checked with its signature, p50', value: median(checked), unit: 'ms' },
    { name: 'hashes in a proof', value: hashes, unit: '', goal: atMost('at most 20', hashes, 20) },
  ];
}
