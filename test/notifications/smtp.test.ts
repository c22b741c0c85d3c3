import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type SmtpServer, sendMail } from '../../src/spine/notifications/send/smtp.ts';
import { CA, type MailServer, PASSWORD, startMailServer, USER } from './mail-server.ts';

const { signal } = new AbortController();
const reach = { allowedHosts: ['localhost', '127.0.0.1'] };
const envelope = { from: 'baton@example.com', to: 'ana@example.com', text: 'Subject: x\r\n\r\nHello\r\n' };

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function started(options: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> {
  const server = await startMailServer(options);
  open.push(server);
  return server;
}

/** A server that says what it is told to, line by line. `closed` ends it with all its connections. */
async function scripted(talk: (socket: Socket, line: string) => void, greeting = '220 hello\r\n') {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write(greeting);
    socket.on('data', (bytes) => talk(socket, bytes.toString('latin1')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  });
  return (server.address() as { port: number }).port;
}

const at = (port: number, more: Partial<SmtpServer> = {}): SmtpServer => ({
  host: 'localhost',
  port,
  security: 'starttls',
  login: null,
  ca: CA,
  reach,
  ...more,
});

/** Whether it was begun; a failure says so as well. */
async function send(server: SmtpServer, message = envelope, stopped = signal): Promise<boolean> {
  let begun = false;
  const begin = async () => {
    begun = true;
  };
  await sendMail(server, message, begin, stopped).catch((error) => {
    throw Object.assign(error, { begun });
  });
  return begun;
}

describe('a mail handed to a real server', () => {
  it.each([
    ['starttls', {}, ['PLAIN']],
    ['starttls', {}, ['LOGIN']],
    ['tls', { secure: true }, ['PLAIN', 'LOGIN']],
  ] as const)('arrives over %s %j with AUTH %s', async (security, options, authMethods) => {
    const server = await started({ ...options, authMethods: [...authMethods], authOptional: false });
    const login = { user: USER, password: PASSWORD };
    expect(await send(at(server.port, { security, login }))).toBe(true);
    expect(server.received).toMatchObject([{ to: ['ana@example.com'], secure: true }]);
  });

  it('arrives as it was written, with lines that begin with dots', async () => {
    const server = await started();
    const text = 'Subject: dots\r\n\r\n.\r\n..two\r\n.hidden\r\nend\r\n';
    await send(at(server.port, { security: 'none' }), { ...envelope, text });
    expect(server.received[0]?.text).toBe(text);
  });

  it('does not arrive with a wrong password, and says only the code', async () => {
    const server = await started({ authMethods: ['PLAIN'], authOptional: false });
    const login = { user: USER, password: 'wrong' };
    await expect(send(at(server.port, { login }))).rejects.toMatchObject({
      code: 'notification_refused',
      message: 'The mail server answered 535.',
      begun: false,
    });
    expect(server.received).toEqual([]);
  });

  it('is never handed over without encryption where encryption was asked for', async () => {
    const bare = await started({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] });
    const login = { user: USER, password: PASSWORD };
    await expect(send(at(bare.port, { login }))).rejects.toMatchObject({ begun: false });
    const stranger = await started();
    await expect(send(at(stranger.port, { login, ca: null }))).rejects.toMatchObject({ begun: false });
    expect([...bare.received, ...stranger.received]).toEqual([]);
  });

  it('does not believe what was said before the connection was encrypted', async () => {
    let shaken = () => {};
    const handshake = new Promise<void>((resolve) => {
      shaken = resolve;
    });
    const port = await scripted((socket, line) => {
      if (line.startsWith('EHLO')) socket.write('250-hi\r\n250 STARTTLS\r\n');
      // The answers of a whole exchange, smuggled in before the handshake.
      else if (line.startsWith('STARTTLS'))
        socket.write(`220 go\r\n${'250 ok\r\n'.repeat(3)}354 go\r\n250 taken\r\n`);
      else shaken();
    });
    const gone = new AbortController();
    const trying = expect(send(at(port), envelope, gone.signal)).rejects.toMatchObject({ begun: false });
    await Promise.race([handshake, trying]);
    gone.abort();
    await trying;
  });

  it('does not go to a private address that nobody has allowed', async () => {
    const server = await started();
    for (const host of ['localhost', '127.0.0.1', '0x7f.1', '2130706433', '::1', '[::1]', 'a b']) {
      const closed = at(server.port, { host, reach: {}, security: 'none' });
      await expect(send(closed)).rejects.toMatchObject({ code: 'address_refused', begun: false });
    }
  });

  it('is not begun where the server refuses at once, or says too much', async () => {
    const refusing = await scripted(() => {}, '554 go away\r\n');
    await expect(send(at(refusing, { security: 'none' }))).rejects.toMatchObject({ begun: false });
    const endless = await scripted(() => {}, '250-and\r\n'.repeat(20_000));
    await expect(send(at(endless, { security: 'none' }))).rejects.toMatchObject({
      message: 'The mail server says too much.',
      begun: false,
    });
  });

  it('is begun, and not known to be taken, where the connection ends after the content', async () => {
    const port = await scripted((socket, line) => {
      if (line.startsWith('DATA')) socket.write('354 go\r\n');
      else if (/^(EHLO|MAIL|RCPT)/.test(line)) socket.write('250 ok\r\n');
      else socket.destroy();
    });
    const failed = await send(at(port, { security: 'none' })).catch((error) => error);
    expect(failed).toMatchObject({ begun: true });
    expect(failed.code).not.toBe('notification_refused');
  });
});
