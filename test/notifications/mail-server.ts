import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

const tls = join(import.meta.dirname, '../fixtures/tls');
export const CA = readFileSync(join(tls, 'ca.pem'), 'utf8');

export interface Received {
  readonly to: readonly string[];
  readonly text: string;
  readonly secure: boolean;
}

export interface MailServer {
  readonly port: number;
  readonly received: Received[];
  close(): Promise<void>;
}

export const USER = 'baton';
export const PASSWORD = 'a password with spaces & ümlauts';

/** A real SMTP server on loopback, with a certificate for `localhost`. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: Received[] = [];
  const server = new SMTPServer({
    key: readFileSync(join(tls, 'server.key')),
    cert: readFileSync(join(tls, 'server.pem')),
    authOptional: true,
    disableReverseLookup: true,
    onAuth({ username, password }, _session, done) {
      if (username === USER && password === PASSWORD) done(null, { user: username });
      else done(new Error('not you'));
    },
    onData(stream, session, done) {
      let text = '';
      stream.setEncoding('utf8');
      stream.on('data', (piece: string) => {
        text += piece;
      });
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ to, text, secure: session.secure });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Header and body of a message as it came. */
export function readMail({ text }: Received): { readonly subject: string; readonly body: string } {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const subject = /^Subject: (.*)$/m.exec(head)?.[1] ?? '';
  return { subject, body: Buffer.from(body, 'base64').toString('utf8') };
}
