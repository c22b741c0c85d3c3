import { defineErrors } from '../../kernel/error.ts';

export const mcpErrors = defineErrors({
  resource_not_found: {
    status: 404,
    message: 'There is no resource of this name.',
    next: 'Use one that resources/list names, or fill in a template of resources/templates/list.',
  },
  mcp_session_needed: {
    status: 400,
    message: 'Notifications need a session, and the request names none.',
    next: 'Send the Mcp-Session-Id that initialize answered, and open the stream with GET.',
  },
  mcp_session_ended: {
    status: 404,
    message: 'This session has ended.',
    next: 'Initialize again, and subscribe again to what you want to be told of.',
  },
  too_many_subscriptions: {
    status: 429,
    message: 'There are more subscriptions than one process serves.',
    next: 'Unsubscribe from what you no longer need: a project tells of all its packages and facts.',
  },
});
