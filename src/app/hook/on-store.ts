import { agentsOperations } from '../../slices/agents/operations.ts';
import { partsFromFlat } from '../../spine/dispatch/parse.ts';
import { type App, openApp } from '../compose.ts';
import { readSettings } from '../settings.ts';
import type { HookConnection } from './connection.ts';
import type { HookRequest } from './request.ts';
import type { Answer } from './run-hook.ts';

/** Straight on the store of the data directory, where no server runs. */
export async function hookOnStore(
  dataDir: string,
  connection: HookConnection,
  client: string,
  body: HookRequest,
): Promise<Answer> {
  const { databaseUrl } = connection;
  const settings = readSettings({
    BATON_DATA: dataDir,
    ...(databaseUrl && { BATON_DATABASE_URL: databaseUrl }),
  });
  const app = await openApp(settings);
  try {
    return await hookInApp(app, connection, client, body);
  } finally {
    await app.close();
  }
}

/** As the connection's own agent. */
export async function hookInApp(
  app: App,
  { token }: HookConnection,
  client: string,
  body: HookRequest,
): Promise<Answer> {
  const principal = await app.identity.authenticate({ authorization: `Bearer ${token}` });
  const bound = app.registry.get('agents.hook');
  if (!bound) throw new Error('no handler is bound to agents.hook');
  const { signal } = new AbortController();
  const parts = partsFromFlat(agentsOperations['agents.hook'], { client, ...body });
  const { body: text } = await app.dispatcher.call(bound, {
    principal,
    parts,
    requestId: app.ids(),
    signal,
  });
  return JSON.parse(text);
}
