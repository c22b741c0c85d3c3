/** A process of its own that deposits into a store others write to: `node … <database url> <data dir> <who> <count>`. */
import { openApp } from '../../src/app/compose.ts';
import { readSettings } from '../../src/app/settings.ts';
import { readDocument } from '../../src/kernel/json/reader.ts';
import { aPackage } from './a-package.ts';

const [databaseUrl = '', dataDir = '', who = '', count = '0'] = process.argv.slice(2);
const app = await openApp({ ...readSettings({ BATON_DATA: dataDir }), databaseUrl });
const deposit = app.registry.get('packages.deposit');
const assert = app.registry.get('facts.assert');
if (!deposit || !assert) throw new Error('the operations are not there');
const principal = {
  actor: { id: who, type: 'agent' as const },
  scopes: new Set(['*']),
  projects: 'all' as const,
  defaultProject: 'default',
  credential: { kind: 'owner' as const, id: who },
  owner: true,
  speaksFor: ['*'],
  present: false,
};
const call = (bound: typeof deposit, path: Record<string, string>, body: unknown) =>
  app.dispatcher.call(bound, {
    principal,
    parts: { path, query: {}, headers: {}, document: readDocument(JSON.stringify(body)) },
    requestId: who,
    signal: new AbortController().signal,
  });
await Promise.all(
  Array.from({ length: Number(count) }, (_, i) => [
    call(
      deposit,
      { project_id: 'default' },
      aPackage(`${who}-${i}`, { project_id: 'default', created_by: { id: who, type: 'agent' } }),
    ),
    call(assert, { project_id: 'default' }, { subject: 'crowd', predicate: 'last', value: `${who}-${i}` }),
  ]).flat(),
);
await app.close();
process.stdout.write('done\n');
