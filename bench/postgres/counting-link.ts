/** A way to a PostgreSQL server that counts what passes, and takes its time if it is told to. */
import { createConnection, createServer, type Socket } from 'node:net';

export interface LinkCounts {
  readonly statements: number;
  /** How often a connection sent something after it had been answered: each time somebody waited for an answer. */
  readonly roundTrips: number;
}

export interface CountingLink {
  readonly url: string;
  /** Added to each way to the server and back. */
  delayMs: number;
  counts(): LinkCounts;
  close(): void;
}

const QUERY = 0x51;
const EXECUTE = 0x45;

export async function countingLink(target: string): Promise<CountingLink> {
  const address = new URL(target);
  let statements = 0;
  let roundTrips = 0;
  const sockets = new Set<Socket>();
  const link = { delayMs: 0 };
  const server = createServer((inward) => {
    const outward = createConnection(Number(address.port), address.hostname);
    for (const [one, other] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      one.setNoDelay(true);
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    let answered = true;
    const read = messageReader((type) => {
      if (type === QUERY || type === EXECUTE) statements += 1;
    });
    inward.on('data', (chunk) => {
      if (answered) roundTrips += 1;
      answered = false;
      read(chunk);
      outward.write(chunk);
    });
    outward.on('data', (chunk) => {
      const pass = () => {
        answered = true;
        inward.write(chunk);
      };
      if (link.delayMs === 0) pass();
      else setTimeout(pass, link.delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const place = server.address();
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(typeof place === 'object' ? place?.port : '');
  return Object.assign(link, {
    url: url.href,
    counts: () => ({ statements, roundTrips }),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  });
}

/** The types of the messages of a client, the first of which, its greeting, has none. */
function messageReader(seen: (type: number) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let greeted = false;
  return (chunk) => {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    for (;;) {
      const typeBytes = greeted ? 1 : 0;
      if (rest.length < typeBytes + 4) return;
      const length = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < length) return;
      if (greeted) seen(rest.readUInt8(0));
      greeted = true;
      rest = rest.subarray(length);
    }
  };
}
