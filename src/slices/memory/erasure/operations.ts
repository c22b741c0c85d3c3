import { defineOperations, outside } from '../../../spine/operations/define.ts';
import { at, byId } from '../declare.ts';
import * as s from '../schema.ts';

export const erasureOperations = defineOperations({
  'memory.erase': {
    ...outside('ours', 'memory:own'),
    idempotency: 'erases',
    summary: 'Erase for good: one memory, all from one agent, one category, or everything.',
    description:
      'No content is left in the store; the journal keeps hashes whose salt is gone. Delete older backups yourself.',
    input: { body: s.eraseInput },
    output: s.erasedView,
    errors: [...byId, 'A2P006'],
    http: at('POST', '/erase'),
    cli: { command: 'memory erase' },
  },
});
