import { BatonError } from '../../kernel/error.ts';
import { agentsOperations } from '../../slices/agents/operations.ts';
import { partsFromFlat } from '../../spine/dispatch/parse.ts';
import { type App, openApp } from '../compose.ts';
import { readSettings, type Settings } from '../settings.ts';
import type { HookConnection } from './connection.ts';
import { isNotJudged, NotJudged } from './not-judged.ts';
import type { HookRequest } from './request.ts';
import type { Answer } from './run-hook.ts';

/** Straight on the store of the data directory, where no server runs. */
export async function hookOnStore(
  dataDir: string,
  connection: HookConnection,
  client: string,
  body: HookRequest,
): Promise<Answer> {
  const app = await openApp(settingsOf(dataDir, connection));
  try {
    return await hookInApp(app, connection, client, body);
  } finally {
    await app.close();
  }
}

const kept = new Map<string, Promise<App>>();

/** The same for a process that stays: to open the store takes most of the time of an event. */
export async function hookOnKeptStore(
  dataDir: string,
  connection: HookConnection,
  client: string,
  body: HookRequest,
): Promise<Answer> {
  const settings = settingsOf(dataDir, connection);
  let app = kept.get(settings.databaseUrl);
  if (!app) {
    app = openApp(settings);
    kept.set(settings.databaseUrl, app);
    // What could not be opened may be there at the next event.
    app.catch(() => kept.delete(settings.databaseUrl));
  }
  return hookInApp(await app, connection, client, body);
}

export async function closeKeptStores(): Promise<void> {
  for (const app of kept.values()) await (await app).close();
  kept.clear();
}

function settingsOf(dataDir: string, { databaseUrl }: HookConnection): Settings {
  return readSettings({
    BATON_DATA: dataDir,
    ...(databaseUrl && { BATON_DATABASE_URL: databaseUrl }),
  });
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
  const call = { principal, parts, requestId: app.ids(), signal };
  const { body: text } = await app.dispatcher.call(bound, call).catch((error: unknown) => {
    const status = error instanceof BatonError ? error.status : 500;
    throw isNotJudged(status) ? new NotJudged(String(error), { cause: error }) : error;
  });
  return JSON.parse(text);
}
