import type { Handlers } from '../operations/handler.ts';
import type { Database } from '../storage/database.ts';
import type { systemOperations } from './operations.ts';
import type { HealthCheck, HealthStatus } from './schema.ts';

export interface SystemDeps {
  readonly db: Database;
  readonly version: string;
  /** Seconds since this process started serving. */
  readonly uptime: () => number;
  /** Whether the process is about to stop. */
  readonly isDraining: () => boolean;
  /** Of what can fail while requests are still served. */
  readonly checks: () => Readonly<Record<string, HealthCheck>>;
  readonly metricsText: () => Promise<string>;
  /** Asked once: it does not change while a server runs. */
  readonly openApi: () => Promise<unknown>;
}

export function createSystemHandlers(deps: SystemDeps): Handlers<typeof systemOperations> {
  const about = () => ({ version: deps.version, uptime_seconds: Math.floor(deps.uptime()) });
  async function health(): Promise<HealthStatus> {
    const store = await deps.db.health();
    const checks = deps.checks();
    const sound = Object.values(checks).every(({ status }) => status === 'pass');
    return {
      status: store.status !== 'pass' ? 'unhealthy' : sound ? 'healthy' : 'degraded',
      ...about(),
      checks: {
        store: {
          status: store.status,
          message: store.message ?? `${store.engine} ${store.version}`,
        },
        ...checks,
      },
    };
  }
  async function healthAnswer() {
    const body = await health();
    return { status: body.status === 'unhealthy' ? 503 : 200, body };
  }
  let openApi: Promise<Uint8Array<ArrayBuffer>> | undefined;
  const openApiText = async () => new TextEncoder().encode(JSON.stringify(await deps.openApi()));
  return {
    'system.health': healthAnswer,
    'system.ready': async () => {
      if (!deps.isDraining()) return healthAnswer();
      const body: HealthStatus = {
        ...about(),
        status: 'unhealthy',
        checks: { draining: { status: 'fail', message: 'This process is about to stop.' } },
      };
      return { status: 503, body };
    },
    // Asks nobody: whoever restarts a process because its database is away only makes it worse.
    'system.live': async () => ({ body: { ...about(), status: 'healthy', checks: {} } }),
    'system.metrics': async () =>
      new Response(await deps.metricsText(), { headers: { 'content-type': 'text/plain; version=0.0.4' } }),
    'system.openapi': async () => {
      openApi ??= openApiText();
      return new Response(await openApi, { headers: { 'content-type': 'application/json' } });
    },
  };
}
