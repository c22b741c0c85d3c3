import { defineErrors } from '../../../../src/kernel/error.ts';

export const conformanceErrors = defineErrors({
  fixtures_missing: {
    status: 404,
    message: 'No fixtures found.',
    next: 'Name a directory of fixtures with --fixtures DIR.',
  },
  fixture_malformed: {
    status: 422,
    message: 'A fixture is malformed.',
    next: 'Fix the file; a corpus runs as a whole or not at all.',
  },
  capabilities_invalid: {
    status: 422,
    message: 'The target does not say how to test it.',
    next: 'Check .agentxchain-conformance/capabilities.json, or GET /conform/capabilities of the remote.',
  },
  surface_unclaimed: {
    status: 422,
    message: 'The target does not claim this surface.',
    next: 'Choose one of the claimed surfaces.',
  },
  conformance_options: {
    status: 400,
    message: 'These options cannot be combined.',
    next: 'See: baton conformance check --help',
  },
});
