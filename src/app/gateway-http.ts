import { Hono } from 'hono';
import { guardAgainstForeignPages, LOOPBACK_HOSTS } from '../faces/http/guard.ts';
import { listen } from '../faces/http/listen.ts';
import type { HttpEnv } from '../faces/http/routes.ts';
import type { GatewayConfig } from '../slices/governance/gateway/config.ts';
import type { Gateway } from '../slices/governance/gateway/gateway.ts';
import { gatewayOverHttp } from '../slices/governance/gateway/http.ts';
import { asBatonError } from '../spine/dispatch/dispatch.ts';
import type { App } from './compose.ts';

const GRACE_MS = 1000;

/** The gateway for many clients, each with a key of its own, at `/mcp`. */
export async function serveGatewayOverHttp(
  app: App,
  gateway: Gateway,
  config: GatewayConfig,
  where: { readonly host: string; readonly port: number },
  stopped: Promise<void>,
): Promise<void> {
  const http = gatewayOverHttp(gateway, config);
  const hono = new Hono<HttpEnv>();
  const hosts = new Set(LOOPBACK_HOSTS);
  hono.all('/mcp', async ({ req }) => {
    try {
      guardAgainstForeignPages({ host: req.header('host') ?? '', origin: req.header('origin') }, { hosts });
      const principal = await app.identity.authenticate({
        authorization: req.header('authorization'),
        apiKey: req.header('x-baton-key') ?? req.header('x-api-key'),
      });
      return await http.handle(req.raw, principal);
    } catch (thrown) {
      const error = asBatonError(thrown);
      const body = {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, message: `${error.message} ${error.next}` },
      };
      const headers = error.status === 401 ? { 'www-authenticate': 'Bearer' } : undefined;
      return Response.json(body, { status: error.status, ...(headers && { headers }) });
    }
  });
  const listener = await listen(hono, () => false, where);
  process.stdout.write(`The gateway is up at ${listener.url}/mcp\n`);
  await stopped;
  await http.close();
  await listener.close(GRACE_MS);
}
