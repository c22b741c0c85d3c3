import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { encodeBase64 } from '../../../kernel/base64.ts';
import { guardedHost, type Reach } from '../../outbound/address-guard.ts';
import { notificationErrors } from '../errors.ts';
import type { MailSecurity } from '../mail-store.ts';
import type { MailLogin } from '../vault.ts';

/*
 * The part of SMTP (RFC 5321, 3207, 4954) that it takes to hand one message to one server. The usual library is bundled
 * 240 kB, a hundred times this file, and resolves names by itself, past the guard against private addresses.
 */

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  readonly security: MailSecurity;
  readonly login: MailLogin | null;
  /** A certificate authority to trust instead of the known ones, in PEM. */
  readonly ca: string | null;
  readonly reach: Reach;
}

export interface Envelope {
  readonly from: string;
  readonly to: string;
  /** With CRLF at the end of each line. */
  readonly text: string;
}

interface Reply {
  readonly code: number;
  readonly text: string;
}

const SILENCE_MS = 20_000;
const LONGEST_REPLY = 64 * 1024;

/** The two ends of a connection's life: replies in, lines out. */
interface Line {
  reply(): Promise<Reply>;
  write(text: string): void;
  /** The bare socket, once nothing of it is read here any more. */
  release(): Socket;
}

/**
 * Hands over a message. `begin` is awaited once the server is ready for the content, before any of it is sent: until then
 * nothing has happened, after it a lost connection leaves open whether the message was taken.
 */
export async function sendMail(
  server: SmtpServer,
  { from, to, text }: Envelope,
  begin: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { address, family } = await guardedHost(server.host, server.port, server.reach);
  const target = { host: address, port: server.port, family };
  const identity = {
    servername: isIP(server.host) === 0 ? server.host : '',
    ...(server.ca !== null && { ca: server.ca }),
  };
  let socket: Socket =
    server.security === 'tls' ? connectTls({ ...target, ...identity }) : connectTcp(target);
  const stop = () => socket.destroy(new Error('stopped'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    let line = lineOver(socket);
    await expect(line, 220);
    let offers = await hello(line);
    if (server.security === 'starttls') {
      if (!/^STARTTLS$/m.test(offers)) throw refused('The mail server does not offer STARTTLS.');
      await ask(line, 'STARTTLS', 220);
      // What came in before the handshake is not read: it is nobody's word.
      socket = connectTls({ socket: line.release(), host: server.host, ...identity });
      await secured(socket as TLSSocket);
      line = lineOver(socket);
      offers = await hello(line);
    }
    if (server.login) await authenticate(line, offers, server.login);
    await ask(line, `MAIL FROM:<${from}>`, 250);
    await ask(line, `RCPT TO:<${to}>`, 250, 251);
    await ask(line, 'DATA', 354);
    await begin();
    line.write(`${text.replace(/^\./gm, '..')}${text.endsWith('\r\n') ? '' : '\r\n'}.\r\n`);
    await expect(line, 250);
    line.write('QUIT\r\n');
  } finally {
    signal.removeEventListener('abort', stop);
    socket.end();
    socket.destroySoon();
  }
}

async function hello(line: Line): Promise<string> {
  const { text } = await ask(line, `EHLO ${/^[\w.-]+$/.exec(hostname())?.[0] ?? 'localhost'}`, 250);
  return text.toUpperCase();
}

async function authenticate(line: Line, offers: string, { user, password }: MailLogin): Promise<void> {
  const encode = (text: string) => encodeBase64(new TextEncoder().encode(text));
  const ways = /^AUTH[ =](.*)$/m.exec(offers)?.[1]?.split(' ') ?? [];
  if (ways.includes('PLAIN')) {
    await ask(line, `AUTH PLAIN ${encode(`\0${user}\0${password}`)}`, 235);
  } else if (ways.includes('LOGIN')) {
    await ask(line, 'AUTH LOGIN', 334);
    await ask(line, encode(user), 334);
    await ask(line, encode(password), 235);
  } else throw refused('The mail server offers neither PLAIN nor LOGIN to sign in with.');
}

async function ask(line: Line, command: string, ...expected: readonly number[]): Promise<Reply> {
  line.write(`${command}\r\n`);
  return expect(line, ...expected);
}

async function expect(line: Line, ...expected: readonly number[]): Promise<Reply> {
  const reply = await line.reply();
  if (expected.includes(reply.code)) return reply;
  throw refused(`The mail server answered ${reply.code}.`, reply.code);
}

/** What the server says beyond its code may repeat what it was sent. */
function refused(message: string, status?: number): Error {
  return notificationErrors.notification_refused({
    message,
    ...(status !== undefined && { details: { status } }),
  });
}

function secured(socket: TLSSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket
      .once('secureConnect', resolve)
      .once('error', reject)
      .once('close', () => reject(lost()));
  });
}

const lost = () => new Error('the mail server closed the connection');

function lineOver(socket: Socket): Line {
  let received = '';
  let fault: Error | undefined;
  let wake = () => {};
  const fail = (error: Error) => {
    fault ??= error;
    wake();
  };
  const onData = (bytes: Buffer) => {
    received += bytes.toString('latin1');
    if (received.length > LONGEST_REPLY) fail(refused('The mail server says too much.'));
    wake();
  };
  const onClose = () => fail(lost());
  const onTimeout = () => socket.destroy(new Error('the mail server does not answer'));
  socket.setTimeout(SILENCE_MS);
  socket.on('data', onData).on('error', fail).on('close', onClose).on('timeout', onTimeout);

  /** A reply is lines `250-…` and a last one `250 …`. */
  function take(): Reply | undefined {
    const whole = /^(?:\d{3}-[^\n]*\n)*(\d{3})(?: [^\n]*)?\n/.exec(received);
    if (!whole) return undefined;
    received = received.slice(whole[0].length);
    return { code: Number(whole[1]), text: whole[0].replaceAll('\r', '').replace(/^\d{3}[- ]/gm, '') };
  }

  return {
    async reply() {
      for (;;) {
        const reply = take();
        if (reply) return reply;
        if (fault) throw fault;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    write: (text) => socket.write(text),
    release() {
      socket.off('data', onData).off('error', fail).off('close', onClose).off('timeout', onTimeout);
      return socket;
    },
  };
}
