import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/**
 * Runs what would hold up the server in a thread of its own. The script is text, because a thread cannot load our
 * TypeScript and the bundle is one file; it sees `DatabaseSync` and `path`, and answers with its `return`.
 */
export function inThread<T>(path: string, script: string): Promise<T> {
  const library = createRequire(import.meta.url).resolve('@photostructure/sqlite');
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { DatabaseSync } = require(workerData.library);
    parentPort.postMessage(((DatabaseSync, path) => {${script}})(DatabaseSync, workerData.path));
  `;
  return new Promise<T>((resolve, reject) => {
    const worker = new Worker(code, { eval: true, workerData: { library, path } });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The thread ended without an answer.')));
  });
}
