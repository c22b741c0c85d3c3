import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NodeRequest } from './node-request.ts';

const PATIENT = { maxBytes: 16, idleSeconds: 30 };
const IMPATIENT = { maxBytes: 16, idleSeconds: 0.02 };

describe("a request taken from Node's own objects", () => {
  let server: Server;
  let caller: Socket;
  beforeEach(async () => {
    server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  });
  afterEach(() => {
    caller.destroy();
    server.close();
  });

  async function arrived(head: string, body: string): Promise<NodeRequest> {
    const request = once(server, 'request');
    caller.write(`POST / HTTP/1.1\r\nhost: here\r\n${head}\r\n\r\n${body}`);
    const [incoming, outgoing] = await request;
    return new NodeRequest(incoming, outgoing, {}, IMPATIENT.idleSeconds);
  }

  it('has its body once, however often it is asked for', async () => {
    const request = await arrived('content-length: 5', 'hello');
    const [first, second] = await Promise.all([request.body(PATIENT), request.body(PATIENT)]);
    expect(Buffer.from(first).toString()).toBe('hello');
    expect(second).toBe(first);
  });

  it('leaves its connection ready for the next, wherever its body was whole', async () => {
    const answers: string[] = [];
    caller.on('data', (piece) => answers.push(String(piece)));
    for (const body of ['one', 'other']) {
      const arrival = once(server, 'request');
      caller.write(`POST / HTTP/1.1\r\nhost: here\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      const [incoming, outgoing] = await arrival;
      const closed = once(incoming, 'close');
      const read = await new NodeRequest(incoming, outgoing, {}, PATIENT.idleSeconds).bytes(16);
      outgoing.end(`read ${Buffer.from(read ?? []).toString()}`);
      await closed;
      expect(incoming.complete).toBe(true);
    }
    await expect.poll(() => answers.join('')).toMatch(/read one[\s\S]*read other/);
  });

  it('does not wait for a body that does not come on', async () => {
    const request = await arrived('content-length: 5', 'hel');
    const read = [request.body(IMPATIENT), request.bytes(16)];
    for (const each of read) await expect(each).rejects.toMatchObject({ code: 'body_timeout' });
  });

  it('does not wait for one that comes on so slowly that it keeps its request open at will', async () => {
    const request = await arrived('content-length: 1000', 'x');
    const dribble = setInterval(() => caller.write('x'), 5);
    const read = request.body({ maxBytes: 1_000, idleSeconds: 0.05 });
    await expect(read).rejects.toMatchObject({ code: 'body_timeout' });
    clearInterval(dribble);
  });

  it('refuses what is longer than its limit, said or not', async () => {
    const request = await arrived('transfer-encoding: chunked', '14\r\n01234567890123456789\r\n0\r\n\r\n');
    await expect(request.body(PATIENT)).rejects.toMatchObject({ code: 'body_too_large' });
    const said = await arrived('content-length: 20', '01234567890123456789');
    expect(await said.bytes(16)).toBeUndefined();
  });

  it('tells when its caller has gone, and not to who no longer asks', async () => {
    const request = await arrived('content-length: 0', '');
    let told = 0;
    const gone = new Promise<void>((resolve) => request.onGone(resolve));
    request.onGone(() => {
      told += 1;
    })();
    const { signal } = request;
    caller.destroy();
    await gone;
    expect({ told, aborted: signal.aborted }).toEqual({ told: 0, aborted: true });
    let afterwards = false;
    request.onGone(() => {
      afterwards = true;
    });
    expect(afterwards).toBe(true);
  });
});
