import type { Connection } from '../faces/cli/host.ts';
import { partsFromFlat } from '../spine/dispatch/parse.ts';
import type { CallableOperation } from '../spine/operations/flat-input.ts';
import { openApp } from './compose.ts';
import { ownerKeyLost, tokenOf } from './owner-token.ts';
import type { Settings } from './settings.ts';

/** Straight on the store of the data directory, for as long as one command runs. */
export async function connectEmbedded(settings: Settings): Promise<Connection> {
  const app = await openApp(settings);
  if (settings.token === undefined && app.ownerKey.state === 'lost') {
    await app.close();
    throw ownerKeyLost(app.ownerKey.path);
  }
  const principal = await app.identity.authenticate({
    authorization: `Bearer ${tokenOf(settings) ?? ''}`,
  });
  const invocation = (
    operation: CallableOperation,
    flat: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ) => {
    const bound = app.registry.get(operation.name);
    if (!bound) throw new Error(`no handler is bound to ${operation.name}`);
    return {
      bound,
      invocation: { principal, parts: partsFromFlat(operation, flat), requestId: app.ids(), signal },
    };
  };
  return {
    where: 'embedded',
    call: async (operation, flat) => {
      const prepared = invocation(operation, flat, new AbortController().signal);
      return app.dispatcher.call(prepared.bound, prepared.invocation);
    },
    async *stream(operation, flat, signal) {
      const prepared = invocation(operation, flat, signal);
      yield* await app.dispatcher.stream(prepared.bound, prepared.invocation);
    },
    close: async () => {
      await app.drain();
      await app.close();
    },
  };
}
