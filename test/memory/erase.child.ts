/** Erases a category in the store of argv[2], and is killed at a moment called argv[4], if there is one: at the first, or after argv[5] of them. */
import { openApp } from '../../src/app/compose.ts';
import { readSettings } from '../../src/app/settings.ts';
import { partsFromFlat } from '../../src/spine/dispatch/parse.ts';
import { roles } from '../../src/spine/identity/roles.ts';
import { DEFAULT_PROJECT } from '../../src/spine/identity/settings.ts';

const [databaseUrl = '', dataDir = '', fault = '', passed = '0'] = process.argv.slice(2);
let left = Number(passed);
let armed = false;
const settings = { ...readSettings({ BATON_DATA: dataDir, BATON_PORT: '0' }), databaseUrl };
const app = await openApp(settings, {
  storage: {
    faults: (point) => {
      if (armed && point === fault && left-- === 0) process.kill(process.pid, 'SIGKILL');
    },
  },
});
const bound = app.registry.get('memory.erase');
if (!bound) throw new Error('no such operation');
armed = true;
const { body } = await app.dispatcher.call(bound, {
  principal: {
    actor: { id: 'ana', type: 'human' },
    scopes: new Set<string>([...roles.human, 'self']),
    projects: [DEFAULT_PROJECT],
    defaultProject: DEFAULT_PROJECT,
    credential: { kind: 'dashboard', id: 'a session' },
    present: true,
    owner: false,
    speaksFor: [],
  },
  parts: partsFromFlat(bound.operation, { category: 'a2p:health' }),
  idempotencyKey: undefined,
  requestId: 'r',
  signal: new AbortController().signal,
});
process.stdout.write(`${body}\n`);
armed = false;
await app.close();
