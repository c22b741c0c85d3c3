import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { credentialsOf, signedPrincipal } from '../faces/http/credentials.ts';
import { LOOPBACK_HOSTS } from '../faces/http/guard.ts';
import { type Listener, listen } from '../faces/http/listen.ts';
import { createNodeListener } from '../faces/http/node-listener.ts';
import { createHttpApp, type HttpDeps } from '../faces/http/server.ts';
import { createStaticFiles } from '../faces/http/static-files.ts';
import { identityErrors } from '../spine/identity/errors.ts';
import type { Principal } from '../spine/identity/principal.ts';
import { DEFAULT_PROJECT } from '../spine/identity/settings.ts';
import { Shares } from '../spine/operations/shares.ts';
import { ownOrigins } from './addresses.ts';
import type { App } from './compose.ts';
import { appErrors } from './errors.ts';
import { describeError } from './log.ts';
import { traceRequests } from './own-traces.ts';
import { logRequests } from './request-log.ts';
import { removeServerFile, writeServerFile } from './server-file.ts';
import { isLoopback, type Settings } from './settings.ts';

export interface Server {
  readonly url: string;
  readonly app: App;
  close(): Promise<void>;
}

const BODY_LIMITS = { maxBytes: 4 * 1024 * 1024, idleSeconds: 20 };
const GRACE_MS = 5_000;
/** Per credential and minute: far above any person or agent, well below what would hurt the others. */
/** A stream costs some 30 kB and a look at each event: more than one actor follows with all of its windows and clients. */
const STREAMS = { each: 200 };
const REQUEST_LIMIT = { limit: 60_000, windowSeconds: 60 };

/** The principal of requests without a credential, for open operations. */
const ANONYMOUS: Principal = {
  actor: { id: 'anonymous', type: 'script' },
  scopes: new Set(),
  projects: [],
  defaultProject: DEFAULT_PROJECT,
  credential: { kind: 'key', id: 'anonymous' },
  owner: false,
  speaksFor: [],
  present: false,
};

/** Puts the app on a socket. Closing it first fails `/readyz` and drains; then it ends streams, lets running requests finish, and closes the app. */
export async function serveApp(app: App, settings: Settings): Promise<Server> {
  const loopback = isLoopback(settings.host);
  if (!loopback && !settings.tls && !settings.behindProxy) throw appErrors.insecure_bind();
  const closing = new AbortController();
  const logged = logRequests(app.metrics, app.log, settings.logRequests);
  const traces =
    settings.tracesUrl === undefined ? undefined : traceRequests(logged, settings.tracesUrl, app.log);
  const metrics = traces?.metrics ?? logged;
  const pages = dashboardFiles();
  const services: HttpDeps = {
    registry: app.registry,
    dispatcher: app.dispatcher,
    clock: app.clock,
    body: BODY_LIMITS,
    anonymous: ANONYMOUS,
    streams: new Shares(STREAMS),
    originOf: ({ origin }) => (app.identity.cookies.secure ? origin.replace(/^http:/, 'https:') : origin),
    draining: app.draining.signal,
    closing: closing.signal,
    hosts: new Set(
      [...LOOPBACK_HOSTS, settings.host, ...settings.allowedHosts].map((name) => name.toLowerCase()),
    ),
    newRequestId: app.ids,
    metrics,
    files: pages === undefined ? undefined : createStaticFiles(pages),
    authenticate: async (request, operation, again) => {
      if (again) return app.identity.authenticate(credentialsOf(request, operation));
      const principal =
        (await signedPrincipal(app.signed, request, operation, BODY_LIMITS)) ??
        (await app.identity.authenticate(credentialsOf(request, operation)));
      const { kind, id } = principal.credential;
      const taken = await app.identity.limiter.take(`requests:${kind}:${id}`, REQUEST_LIMIT);
      if (!taken.granted) throw identityErrors.rate_limited({ retryAfterSeconds: taken.retryAfterSeconds });
      return principal;
    },
    log: (error, context) => app.log.error({ ...context, error: describeError(error) }, 'request failed'),
  };
  await app.start();
  const listener = await listenOrExplain(() =>
    listen(createHttpApp(services), createNodeListener(services), {
      host: settings.host,
      port: settings.port,
      ...(settings.tls && { tls: readTlsFiles(settings.tls) }),
    }),
  );
  await app.served(listener.url).catch(async (error) => {
    await listener.close(0);
    throw error;
  });
  app.identity.passkeys.servedAt(ownOrigins(listener.url, settings));
  writeServerFile(settings.dataDir, { url: listener.url, pid: process.pid });
  const upkeep = app.startUpkeep();
  return {
    url: listener.url,
    app,
    async close() {
      removeServerFile(settings.dataDir, process.pid);
      app.draining.abort();
      await listener.drain(settings.drainSeconds * 1000);
      closing.abort();
      await listener.close(GRACE_MS);
      await traces?.close();
      await upkeep.stop();
      await app.close();
    },
  };
}

function readTlsFiles({ cert, key, clientCa }: NonNullable<Settings['tls']>) {
  try {
    const tls = {
      cert: readFileSync(cert, 'utf8'),
      key: readFileSync(key, 'utf8'),
      ...(clientCa && { clientCa: readFileSync(clientCa, 'utf8') }),
    };
    createSecureContext({ cert: tls.cert, key: tls.key, ca: tls.clientCa });
    return tls;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw appErrors.tls_unusable({ message: `The certificate or its key cannot be used: ${why}.`, cause });
  }
}

async function listenOrExplain(start: () => Promise<Listener>): Promise<Listener> {
  try {
    return await start();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EADDRINUSE') throw appErrors.port_in_use({ cause });
    throw cause;
  }
}

/** The built dashboard: beside the bundle's folder, or in the checkout when running from source. */
function dashboardFiles(): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let up = 0; up < 4; up += 1) {
    const pages = join(folder, 'web', 'dist');
    if (existsSync(join(pages, 'index.html'))) return pages;
    folder = dirname(folder);
  }
  return undefined;
}
