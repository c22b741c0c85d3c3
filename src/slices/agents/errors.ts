import { defineErrors } from '../../kernel/error.ts';

export const agentsErrors = defineErrors({
  client_unknown: {
    status: 404,
    message: 'No client of this name is known.',
    next: 'Use one of `details.known`.',
  },
});
