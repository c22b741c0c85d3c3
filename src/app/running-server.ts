import type { RunningServer } from '../faces/cli/host.ts';
import type { Server } from './serve.ts';

/** A running server as commands see it. Stopping it more than once does no harm. */
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
