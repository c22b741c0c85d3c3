import { defineOperations, outside, read } from '../../../spine/operations/define.ts';
import { at, byId } from '../declare.ts';
import * as s from '../schema.ts';

export const erasureOperations = defineOperations({
  'memory.erase': {
    ...outside('ours', 'memory:own'),
    idempotency: 'erases',
    decides: true,
    summary: 'Erase for good: one memory, all from one agent, one category, or everything.',
    description:
      'Rows and index are gone when it answers. 200: no byte is left in the store. 202: bytes are left, `remains` says where and why, and the server goes on by itself; ask `memory.erasure.get`, or repeat the request, to see the outcome. The journal keeps hashes whose salt is gone. Delete older backups yourself.',
    input: { body: s.eraseInput },
    output: s.erasedView,
    errors: [...byId, 'A2P006'],
    http: at('POST', '/erase'),
    cli: { command: 'memory erase' },
  },
  'memory.erasures': {
    ...read('ours', 'memory:own'),
    summary: 'List your erasures, the newest first: what is done, and where bytes are left.',
    input: { query: s.erasuresQuery },
    output: s.erasureList,
    errors: [],
    http: at('GET', '/erasures'),
    cli: { command: 'memory erasures' },
  },
  'memory.erasure.get': {
    ...read('ours', 'memory:own'),
    summary: 'Show one erasure: its state, what it removed, and where bytes are left.',
    input: { path: s.idPath },
    output: s.erasedView,
    errors: ['A2P003'],
    http: at('GET', '/erasures/{id}'),
    cli: { command: 'memory erasure', positionals: ['id'] },
  },
});
