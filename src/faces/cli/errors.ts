import { defineErrors } from '../../kernel/error.ts';

export const cliErrors = defineErrors({
  server_unreachable: {
    status: 503,
    message: 'The server does not answer.',
    next: 'Start it with `baton up`, or check BATON_URL.',
    retryable: true,
  },
  bad_arguments: {
    status: 400,
    message: 'Invalid arguments.',
    next: 'See `baton --help`.',
  },
  file_unreadable: {
    status: 400,
    message: 'The file cannot be read.',
    next: 'Check the path and its permissions.',
  },
  file_unwritable: {
    status: 400,
    message: 'The file cannot be written.',
    next: 'Check the folder and its permissions.',
  },
  export_damaged: {
    status: 422,
    message: 'A file of the export was changed or truncated after it was written.',
    next: 'Export again, or use another copy.',
  },
  no_repository: {
    status: 400,
    message: 'This folder is not in a git repository.',
    next: 'Change to the repository whose files you mean; anchors are paths in a repository.',
  },
  request_refused: {
    status: 500,
    message: 'The server refused the request.',
    next: 'See the server log.',
  },
});
