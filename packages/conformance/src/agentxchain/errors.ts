import { defineErrors } from '../../../../src/kernel/error.ts';

export const conformanceErrors = defineErrors({
  fixtures_missing: {
    status: 404,
    message: 'There are no fixtures there.',
    next: 'Name a directory of fixtures with --fixtures DIR.',
  },
  fixture_malformed: {
    status: 422,
    message: 'A fixture is malformed.',
    next: 'Correct the file; a corpus is run as a whole or not at all.',
  },
  capabilities_invalid: {
    status: 422,
    message: 'The target does not say how it is to be tested.',
    next: 'Check .agentxchain-conformance/capabilities.json, or GET /conform/capabilities of the remote.',
  },
  surface_unclaimed: {
    status: 422,
    message: 'The target does not claim that surface.',
    next: 'Choose one of the claimed surfaces.',
  },
  conformance_options: {
    status: 400,
    message: 'These options do not go together.',
    next: 'See: baton conformance check --help',
  },
});
