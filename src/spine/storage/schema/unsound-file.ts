// For speed: SQLite takes a quarter as long over it as all else that is verified, and on a second core nobody waits for it.
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Database } from '../database.ts';

/** How many of its findings SQLite reports. */
const MOST_FINDINGS = 100;

const SCRIPT = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require(workerData.library);
  const db = new DatabaseSync(workerData.path, { readOnly: true });
  const rows = db.prepare('pragma integrity_check(${MOST_FINDINGS})').all();
  db.close();
  parentPort.postMessage(rows.map((row) => String(row.integrity_check)));
`;

/**
 * What is wrong inside the file: an index that lacks rows of its table, or has others. Rows that are there and that no query
 * finds are read by whoever verifies the table, and by nobody else. In a thread of its own, which cannot be interrupted;
 * nothing for PostgreSQL, which has no such question.
 */
export async function findUnsound(db: Database): Promise<string[]> {
  if (db.engine !== 'sqlite') return [];
  const [main] = await db.read((reader) => reader.all<{ file: string }>('pragma database_list'));
  const library = createRequire(import.meta.url).resolve('@photostructure/sqlite');
  const worker = new Worker(SCRIPT, { eval: true, workerData: { library, path: main?.file } });
  const findings = await new Promise<string[]>((resolve, reject) => {
    let found: string[] | undefined;
    worker.on('message', (message: string[]) => {
      found = message;
    });
    worker.on('error', reject);
    worker.on('exit', () =>
      found ? resolve(found) : reject(new Error('The look at the file ended early.')),
    );
  });
  return findings.filter((finding) => finding !== 'ok');
}
