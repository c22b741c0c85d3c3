import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** In a thread, because a full check of a large file takes seconds. The copy ends as one file without a WAL. */
const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require(workerData.library);
const db = new DatabaseSync(workerData.path);
const faults = db.prepare('pragma integrity_check').all().map((row) => row.integrity_check);
db.exec('pragma journal_mode = delete');
db.close();
parentPort.postMessage(faults);
`;

export async function finishCopy(path: string): Promise<void> {
  const library = createRequire(import.meta.url).resolve('@photostructure/sqlite');
  const faults = await new Promise<readonly string[]>((resolve, reject) => {
    const worker = new Worker(SCRIPT, { eval: true, workerData: { library, path } });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The check of the copy ended without an answer.')));
  });
  if (faults.length !== 1 || faults[0] !== 'ok') {
    throw new Error(`The copy is damaged: ${faults.slice(0, 3).join('; ')}`);
  }
}
