import { defineOperations, read, write } from '../../../spine/operations/define.ts';
import { at, missing } from '../declare.ts';
import * as s from '../schema.ts';

export const transferOperations = defineOperations({
  'memory.profile.export': {
    ...read('ours', 'memory:own'),
    summary: 'Export the whole profile as one JSON document.',
    input: { query: s.exportQuery },
    output: s.documentSchema,
    errors: [...missing],
    http: at('GET', '/export'),
    cli: { command: 'memory export' },
  },
  'memory.profile.import': {
    ...write('ours', 'memory:own'),
    decides: true,
    summary: 'Import an a2p profile with its memories, proposals and policies.',
    input: { body: s.documentSchema },
    bodyName: 'document',
    output: s.importedView,
    errors: ['memory_profile_exists', 'A2P002', 'A2P006', 'A2P010'],
    http: { ...at('POST', '/import', 201), maxValues: 100_000 },
  },
  'memory.import': {
    ...write('ours', 'memory:own'),
    decides: true,
    summary: 'Import memories of another system as proposals.',
    input: { body: s.foreignImport },
    output: s.foreignImported,
    errors: [...missing, 'import_refused'],
    http: { ...at('POST', '/import-foreign', 201), maxValues: 100_000 },
  },
});
