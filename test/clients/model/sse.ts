import type { ServerResponse } from 'node:http';

/** Server-sent events with a name each, as both Anthropic's and OpenAI's streams are. */
export function events(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  return {
    send(event: string | undefined, data: unknown): void {
      if (event !== undefined) response.write(`event: ${event}\n`);
      response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
    },
    end(): void {
      response.end();
    },
  };
}
