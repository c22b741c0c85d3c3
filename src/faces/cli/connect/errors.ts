import { defineErrors } from '../../../kernel/error.ts';

export const connectErrors = defineErrors({
  editor_unknown: {
    status: 400,
    message: 'Baton does not know this editor.',
    next: 'See `baton connect --list`; for any other MCP client: `baton connect NAME --print`.',
  },
  config_unusable: {
    status: 400,
    message: 'The configuration file is not in a form that can be edited safely.',
    next: 'Correct it, or add by hand what `baton connect EDITOR --print` shows.',
  },
  connection_unknown: {
    status: 400,
    message: 'There is no such connection in this data directory.',
    next: 'Make it with `baton connect EDITOR`; `baton connect --list` shows those that are there.',
  },
  connection_silent: {
    status: 502,
    message: 'The MCP server does not answer when it is started as the editor would start it.',
    next: 'Run the command by hand to see why; `baton disconnect EDITOR` undoes what was written.',
  },
  server_elsewhere: {
    status: 400,
    message: 'BATON_URL names a server elsewhere; `connect` works on the store of this machine.',
    next: 'Make a key with `baton keys create NAME --actor-type agent` and give the editor the address /mcp of that server with the key as bearer token.',
  },
});
