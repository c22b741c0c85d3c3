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
    next: 'Create it with `baton connect EDITOR`; `baton connect --list` shows the existing ones.',
  },
  connection_silent: {
    status: 502,
    message: 'The MCP server does not respond when started the way the editor starts it.',
    next: 'Run the command by hand to see why; `baton disconnect EDITOR` undoes what was written.',
  },
  server_elsewhere: {
    status: 400,
    message: 'BATON_URL names another server; `connect` works only with the store on this machine.',
    next: 'Create a key with `baton keys create NAME --actor-type agent`, and point the editor at /mcp on that server with the key as bearer token.',
  },
});
