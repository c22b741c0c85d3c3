import { defineOperations, read, write } from '../../../spine/operations/define.ts';
import { at, byId, missing } from '../declare.ts';
import * as s from '../schema.ts';

export const consolidationOperations = defineOperations({
  'memory.similar': {
    ...read('ours', 'memory:own'),
    summary: 'List memories that may say the same as this one, nearest first.',
    input: { path: s.idPath, query: s.inProfile },
    output: s.candidateList,
    errors: [...byId],
    http: at('GET', '/memories/{id}/similar'),
    cli: { command: 'memory similar', positionals: ['id'] },
  },
  'memory.merge': {
    ...write('ours', 'memory:own'),
    decides: true,
    summary: 'Merge memories that say the same thing; the sources are archived.',
    input: { body: s.mergeInput },
    output: s.mergeView,
    errors: [...byId, 'A2P006', 'merge_refused'],
    http: at('POST', '/merges', 201),
  },
  'memory.merges': {
    ...read('ours', 'memory:own'),
    summary: 'List merges, newest first.',
    input: { query: s.inProfile },
    output: s.mergeList,
    errors: [...missing],
    http: at('GET', '/merges'),
    cli: { command: 'memory merges' },
  },
  'memory.unmerge': {
    ...write('ours', 'memory:own'),
    decides: true,
    summary: 'Undo a merge and restore its sources as they were.',
    input: { path: s.idPath, query: s.inProfile },
    output: s.mergeView,
    errors: [...byId, 'merge_undone'],
    http: at('POST', '/merges/{id}/undo'),
    cli: { command: 'memory unmerge', positionals: ['id'] },
  },
  'memory.promotions': {
    ...read('ours', 'memory:own'),
    summary: 'List episodes that have become general knowledge about the person.',
    input: { query: s.inProfile },
    output: s.suggestionList,
    errors: [...missing],
    http: at('GET', '/promotions'),
    cli: { command: 'memory promotions' },
  },
});
