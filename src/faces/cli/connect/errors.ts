import { defineErrors } from '../../../kernel/error.ts';

export const connectErrors = defineErrors({
  editor_unknown: {
    status: 400,
    message: 'Baton does not know this editor.',
    next: 'See `baton connect --list`; for any other MCP client: `baton connect NAME --print`.',
  },
  config_unusable: {
    status: 400,
    message: 'The configuration file cannot be edited safely.',
    next: 'Fix it, or add what `baton connect EDITOR --print` shows by hand.',
  },
  connection_unknown: {
    status: 400,
    message: 'There is no such connection in this data directory.',
    next: 'Make one with `baton connect CLIENT`; `baton connect --list` shows those that exist.',
  },
  connections_busy: {
    status: 409,
    message: 'Another command is changing the connections.',
    next: 'Wait until it has finished, and try again; remove the lock file if no such command runs.',
    retryable: true,
  },
  connection_silent: {
    status: 502,
    message: 'The MCP server does not respond when started the way the editor starts it.',
    next: 'Run the command by hand to see why; `baton disconnect EDITOR` undoes what was written.',
  },
  server_elsewhere: {
    status: 400,
    message: 'BATON_URL names another server; this command works with the store on this machine.',
    next: 'For a team’s server: `baton connect CLIENT --url URL`. Otherwise run it without BATON_URL.',
  },
  key_unfit: {
    status: 400,
    message: 'The key is not an agent’s.',
    next: 'Create one on that server with `baton keys create NAME --actor-type agent`.',
  },
  repository_unusable: {
    status: 400,
    message: 'This folder cannot be bound to a project.',
    next: 'Run this in a git repository of its own.',
  },
  project_taken: {
    status: 409,
    message: 'This repository names a project that belongs to another repository on this machine.',
    next: 'If they are the same work, say so with `--project ID`; otherwise change `.baton/project.json`.',
  },
});
