import { defineOperations, write } from '../../../spine/operations/define.ts';
import { at } from '../declare.ts';
import * as s from '../schema.ts';

export const captureOperations = defineOperations({
  'memory.capture': {
    ...write('ours', 'memory:propose'),
    summary: 'Propose what a person said of themselves in a conversation.',
    description:
      'Rules look for preferences, habits, standing instructions, facts, decisions and corrections in the person’s own words, and leave out what is quoted, pasted or recalled. All that they find is put on one card of the inbox. Nothing is proposed twice.',
    input: { body: s.captureInput },
    output: s.captured,
    errors: ['A2P005'],
    http: at('POST', '/capture'),
  },
});
