import { defineOperations, outside } from '../../../spine/operations/define.ts';
import { at, byId } from '../declare.ts';
import * as s from '../schema.ts';

export const erasureOperations = defineOperations({
  'memory.erase': {
    ...outside('ours', 'memory:own'),
    idempotency: 'erases',
    summary: 'Forget for good: one memory, one agent’s, one category, or everything.',
    description:
      'Afterwards nothing of the content is left in the store; the journal keeps hashes whose salt is gone. Backups made before are yours to delete.',
    input: { body: s.eraseInput },
    output: s.erasedView,
    errors: [...byId, 'A2P006'],
    http: at('POST', '/erase'),
    cli: { command: 'memory erase' },
  },
});
