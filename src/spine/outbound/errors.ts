import { defineErrors } from '../../kernel/error.ts';

export const outboundErrors = defineErrors({
  address_refused: {
    status: 403,
    message: 'The request would go to a private or reserved address.',
    next: 'Allow the host in the settings if it is intended, or use a public address.',
  },
  answer_too_large: {
    status: 502,
    message: 'The response is larger than the limit.',
    next: 'Have the other side send less.',
  },
});
