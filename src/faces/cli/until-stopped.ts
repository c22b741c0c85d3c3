import pc from 'picocolors';
import type { RunningServer } from './host.ts';

/** Runs until interrupted, which may happen during start-up: it then shuts down cleanly too. */
export async function untilStopped(starting: Promise<RunningServer>): Promise<void> {
  const stop = () => void starting.then((server) => server.stop()).catch(() => undefined);
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  await (await starting).stopped;
  process.stdout.write(pc.dim('stopped\n'));
}
