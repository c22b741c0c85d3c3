import type { GatewayServing } from '../faces/cli/host.ts';
import { type Gateway, openGateway } from '../slices/governance/gateway/gateway.ts';
import { readGatewayConfig, serveGatewayOverStdio } from '../slices/governance/gateway/serve.ts';
import { type App, openApp } from './compose.ts';
import { serveGatewayOverHttp } from './gateway-http.ts';
import { createProcessLog } from './log.ts';
import { tokenOf } from './owner-token.ts';
import type { Settings } from './settings.ts';
import { governanceOn } from './slices/governance.ts';
import { VERSION } from './version.ts';

/** The gateway over standard input and output or over HTTP: on the same store as the server, in peace. */
export async function serveGateway(settings: Settings, serving: GatewayServing): Promise<void> {
  const config = await readGatewayConfig(serving.config);
  const app = await openApp(settings, { log: createProcessLog(settings.logLevel) });
  let gateway: Gateway | undefined;
  try {
    const authorization = `Bearer ${tokenOf(settings) ?? ''}`;
    const principal = await app.identity.authenticate({ authorization });
    gateway = await openGateway({
      config,
      deps: governanceOn(app).deps,
      principal,
      version: VERSION,
      log: (error) => app.log.warn({ error: error instanceof Error ? error.message : error }, 'gateway'),
      stderr: (server, text) => void process.stderr.write(text.replace(/^(?=.)/gm, `[${server}] `)),
    });
    if (serving.load) await accept(gateway);
    else if (serving.port !== undefined) {
      await serveGatewayOverHttp(
        app,
        gateway,
        config,
        { host: '127.0.0.1', port: serving.port },
        untilSignal(),
      );
    } else {
      if (principal.actor.type === 'human') warnOfPerson(app, principal.actor.id);
      // A key that was revoked must not go on working in a process that was started with it.
      const lost = whenRefused(() => app.identity.authenticate({ authorization }));
      await serveGatewayOverStdio(gateway, principal, Promise.race([untilSignal(), lost.refused]));
      lost.stop();
    }
    await gateway.close();
    await app.drain();
  } finally {
    await gateway?.close().catch(() => undefined);
    await app.close();
  }
}

async function accept(gateway: Gateway): Promise<void> {
  const { loaded, changes, unavailable } = await gateway.accept();
  for (const { server, tool, was } of changes) {
    process.stdout.write(`${was ? 'changed' : 'new    '}  ${server}/${tool.name}\n`);
  }
  for (const each of unavailable)
    process.stderr.write(`not available, its tools stay as they were: ${each}\n`);
  process.stdout.write(
    `${gateway.atlasId} ${loaded ? 'is loaded' : 'is loaded already, and nothing has changed'}\n`,
  );
}

function warnOfPerson(app: App, actor: string): void {
  app.log.warn(
    { actor },
    'the gateway acts as a person, who then cannot approve what it asks for: give it an agent key in BATON_TOKEN',
  );
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
}

const ASK_AGAIN_MS = 30_000;

function whenRefused(authenticate: () => Promise<unknown>) {
  let refuse: () => void = () => undefined;
  const refused = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  const timer = setInterval(() => {
    authenticate().catch((error: { readonly status?: number }) => {
      if (error.status === 401 || error.status === 403) refuse();
    });
  }, ASK_AGAIN_MS);
  timer.unref();
  return { refused, stop: () => clearInterval(timer) };
}
