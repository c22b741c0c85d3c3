/** Follows the journal, loses the connection, and resumes where it stopped: nothing is missed and nothing comes twice. */
import assert from 'node:assert/strict';
import { createClient } from '@baton-ledger/client';

const { BATON_URL: url = 'http://127.0.0.1:7373', BATON_TOKEN: token = '' } = process.env;
const baton = createClient({ url, token });

const deposited: string[] = [];
async function deposit(title: string): Promise<void> {
  const { package_id } = await baton.call('packages.write', { title });
  deposited.push(package_id);
}

/** Reads until it has seen `count` deposits, then hangs up; answers where it stopped. */
async function readDeposits(after: string, count: number, seen: string[]): Promise<string> {
  const connection = new AbortController();
  const feed = baton.stream(
    'journal.follow',
    { types: ['package.deposited'] },
    { after, signal: connection.signal },
  );
  let last = after;
  for await (const { id, data } of feed) {
    last = id;
    seen.push((data.event.payload as { readonly package_id: string }).package_id);
    if (--count === 0) break;
  }
  connection.abort();
  return last;
}

const newest = await baton.call('journal.changes', { newest: true, limit: 1 });
const start = String(newest.events[0]?.leaf ?? 0);
const seen: string[] = [];

await deposit('Before the connection was lost');
const stopped = await readDeposits(start, 1, seen);
await deposit('While nobody was reading');
await deposit('Also while nobody was reading');
await readDeposits(stopped, 2, seen);

assert.deepEqual(seen, deposited);
console.log(`Read ${seen.length} deposits over two connections, in order, each once.`);
