import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a port of this machine that can be cut without either side being told, as a network is. */
export class Link {
  readonly port: number;
  readonly #server: Server;
  readonly #ends = new Set<Socket>();
  #cut = false;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async to(target: number): Promise<Link> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const link = new Link(server, typeof address === 'object' && address !== null ? address.port : 0);
    server.on('connection', (inward) => link.#join(inward, target));
    return link;
  }

  /** From now on nothing passes, in either direction; who connects hears nothing. */
  cut(): void {
    this.#cut = true;
    for (const end of this.#ends) end.pause();
  }

  /** What was held back passes late, as it does in a network. */
  mend(): void {
    this.#cut = false;
    for (const end of this.#ends) end.resume();
  }

  close(): void {
    this.#server.close();
    for (const end of this.#ends) end.destroy();
  }

  #join(inward: Socket, target: number): void {
    const outward = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      one.setNoDelay(true);
      this.#ends.add(one);
      one.on('data', (bytes) => other.write(bytes));
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#ends.delete(one);
        other.destroy();
      });
      if (this.#cut) one.pause();
    }
  }
}
