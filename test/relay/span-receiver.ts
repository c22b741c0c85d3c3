/** An OTLP endpoint that can be away for a while: nobody listens on its port then. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportRequestFields } from '../../src/slices/relay/otlp/fields.ts';
import type { ExportRequest } from '../../src/slices/relay/otlp/model.ts';
import { decodeMessage } from '../../src/slices/relay/otlp/protobuf-reader.ts';
import { closeServer, sleep } from './sdk-peer.ts';

export interface SpanReceiver {
  readonly url: string;
  /** Span ids in the order in which they came, as often as they came. */
  readonly received: readonly string[];
  leave(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

/** `slowMs`: how long it thinks about each export before it answers. */
export async function startSpanReceiver(slowMs = 0): Promise<SpanReceiver> {
  const received: string[] = [];
  let port = 0;
  let server: Server;

  async function listen(): Promise<void> {
    server = createServer(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const { resourceSpans = [] } = decodeMessage(
        exportRequestFields,
        Buffer.concat(pieces),
      ) as ExportRequest;
      for (const { scopeSpans = [] } of resourceSpans)
        for (const { spans = [] } of scopeSpans) received.push(...spans.map(({ spanId }) => spanId));
      if (slowMs > 0) await sleep(slowMs);
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  }

  /** What is being received is answered first: an outage that cuts an answer off cannot be told from a lost one. */
  async function leave(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    await closed;
  }

  await listen();
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    leave,
    comeBack: listen,
    close: () => closeServer(server),
  };
}
