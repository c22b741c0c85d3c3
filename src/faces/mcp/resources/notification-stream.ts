const HEARTBEAT_MS = 15_000;
const encoder = new TextEncoder();

/** The event stream of a session of the 2025 revisions: one at a time, and the next one goes on where it broke off. */
export interface NotificationStream {
  updated(uri: string): void;
  /** The stream that was open before ends. `left` is called when this one does, whoever ends it. */
  open(signal: AbortSignal, left: () => void): Response;
  close(): void;
}

interface Open {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  /** True once: the stream is then no longer ours to write to. */
  leave(): boolean;
}

export function createNotificationStream(): NotificationStream {
  /** Told when the reader has room: what changes again meanwhile is told once. */
  const untold = new Set<string>();
  let current: Open | undefined;

  function drain(): void {
    for (const uri of untold) {
      if (!current || (current.controller.desiredSize ?? 0) <= 0) return;
      untold.delete(uri);
      current.controller.enqueue(encoder.encode(updatedFrame(uri)));
    }
  }

  function close(stream = current): void {
    if (stream?.leave()) stream.controller.close();
  }

  function enter(
    controller: ReadableStreamDefaultController<Uint8Array>,
    signal: AbortSignal,
    left: () => void,
  ) {
    const heartbeat = setInterval(() => {
      if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': hb\n\n'));
    }, HEARTBEAT_MS).unref();
    const opened: Open = {
      controller,
      leave() {
        if (current !== opened) return false;
        current = undefined;
        clearInterval(heartbeat);
        signal.removeEventListener('abort', onAbort);
        left();
        return true;
      },
    };
    const onAbort = () => close(opened);
    signal.addEventListener('abort', onAbort);
    current = opened;
    return opened;
  }

  return {
    updated(uri) {
      untold.add(uri);
      drain();
    },
    open(signal, left) {
      close();
      let opened: Open | undefined;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          opened = enter(controller, signal, left);
        },
        pull: drain,
        cancel() {
          opened?.leave();
        },
      });
      return new Response(body, {
        headers: {
          'content-type': 'text/event-stream',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
        },
      });
    },
    close: () => close(),
  };
}

function updatedFrame(uri: string): string {
  const message = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } };
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}
