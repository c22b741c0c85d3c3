import type { RunningServer } from '../faces/cli/host.ts';
import type { Server } from './serve.ts';

/** A server as a command holds it: it can be stopped once, however often that is asked. */
export function runningServer(server: Server): RunningServer {
  let finish: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let stopping: Promise<void> | undefined;
  return {
    url: server.url,
    stopped,
    stop: () => {
      stopping ??= server.close().then(finish);
      return stopping;
    },
  };
}
