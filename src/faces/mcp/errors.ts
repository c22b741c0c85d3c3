import { defineErrors } from '../../kernel/error.ts';

export const mcpErrors = defineErrors({
  files_elsewhere: {
    status: 400,
    message: 'This Baton runs elsewhere and cannot read your files.',
    next: 'Leave `files` out, or give x-anchors: each with path and the blob id that git hash-object prints.',
  },
  file_refused: {
    status: 400,
    message: 'This file cannot be read.',
    next: 'Name files inside the working directory or its repository, by paths relative to it.',
  },
  prompt_not_found: {
    status: 404,
    message: 'There is no prompt of this name.',
    next: 'Use one that prompts/list names.',
  },
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
