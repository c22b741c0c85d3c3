import type { Handlers } from '../operations/handler.ts';
import type { Database } from '../storage/database.ts';
import type { systemOperations } from './operations.ts';
import type { HealthStatus } from './schema.ts';

export interface SystemServices {
  readonly db: Database;
  readonly version: string;
  /** Seconds since this process started serving. */
  readonly uptime: () => number;
  readonly metricsText: () => string;
  readonly openApi: () => unknown;
}

export function createSystemHandlers(services: SystemServices): Handlers<typeof systemOperations> {
  async function health(): Promise<HealthStatus> {
    const store = await services.db.health();
    return {
      status: store.status === 'pass' ? 'healthy' : 'unhealthy',
      version: services.version,
      uptime_seconds: Math.floor(services.uptime()),
      checks: {
        store: {
          status: store.status,
          message: store.message ?? `${store.engine} ${store.version}`,
        },
      },
    };
  }
  async function healthAnswer() {
    const body = await health();
    return { status: body.status === 'healthy' ? 200 : 503, body };
  }
  return {
    'system.health': healthAnswer,
    'system.ready': healthAnswer,
    'system.metrics': async () =>
      new Response(services.metricsText(), { headers: { 'content-type': 'text/plain; version=0.0.4' } }),
    'system.openapi': async () =>
      new Response(JSON.stringify(services.openApi()), { headers: { 'content-type': 'application/json' } }),
  };
}
