/** A server in a process of its own, on the store that its environment names. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openApp } from '../../src/app/compose.ts';
import { serveApp } from '../../src/app/serve.ts';
import { readSettings } from '../../src/app/settings.ts';
import { answerCalls } from '../own-process.ts';

export interface ServerStart {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

const settings = readSettings(process.env);
const app = await openApp(settings);
const server = await serveApp(app, settings);
const token = (await readFile(join(settings.dataDir, 'owner.key'), 'utf8')).trim();

answerCalls({
  start: (): ServerStart => ({ url: server.url, token, pid: process.pid }),
  /** Seconds of processor time so far. */
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  },
  stop: () => server.close(),
});
