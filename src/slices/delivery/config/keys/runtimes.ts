import type { Key } from './key.ts';

const environment: Key = {
  type: 'object of texts',
  about: 'Added to the environment.',
  each: { type: 'text', about: '' },
};

/** The members of all types together: a runtime that changes its type may keep what the other one used. */
export const runtimesKey: Key = {
  type: 'object by runtime id',
  about: 'How turns are taken.',
  required: true,
  each: {
    type: 'object',
    about: 'One runtime.',
    members: {
      type: {
        type: '`manual`, `local_cli`, `api_proxy`, `mcp`, `remote_agent` or `a2a`',
        about:
          'A person; a program on this machine; a bare model; an MCP server; an HTTP address; a relay peer.',
        required: true,
      },
      command: {
        type: 'list, or one program',
        about:
          '`local_cli`, `mcp`: the command line. `{prompt}`, `{prompt_file}`, `{context_file}`, `{dispatch_dir}`, `{staging_file}` and `{staging_dir}` are filled in.',
      },
      args: { type: 'list', about: '`local_cli`, `mcp`: more arguments.', default: 'none' },
      cwd: {
        type: 'path',
        about: '`local_cli`: where to start it, inside the work tree.',
        default: 'its root',
      },
      env: environment,
      prompt_transport: {
        type: '`stdin`, `argv` or `dispatch_bundle_only`',
        about: '`local_cli`: how the prompt and the context reach the program.',
        default: '`argv` where the command has `{prompt}`, else `stdin`',
      },
      result: {
        type: '`file` or `output`',
        about:
          '`local_cli`: whether a turn that staged nothing may answer with a JSON object in its output instead.',
        default: '`file`',
        ours: true,
      },
      output: {
        type: '`text`, `claude`, `codex`, `gemini` or `opencode`',
        about: '`local_cli`: the form of its output, from which tokens and cost are read.',
        default: '`text`',
        ours: true,
      },
      stall_seconds: {
        type: 'number above 0',
        about: '`local_cli`: stop it after this long without any output.',
        default: '`timeouts.stall_minutes`',
        ours: true,
      },
      provider: { type: '`openai` or `anthropic`', about: '`api_proxy`: the form of the API.' },
      model: { type: 'text', about: '`api_proxy`: which model.' },
      base_url: {
        type: 'address',
        about: '`api_proxy`: a compatible server.',
        default: 'the provider’s own',
      },
      api_key_env: { type: 'name', about: '`api_proxy`: the environment variable that holds the key.' },
      auth_env: { type: 'name', about: '`api_proxy`: another name of `api_key_env`.' },
      max_output_tokens: { type: 'integer', about: '`api_proxy`: the longest answer.', default: '8192' },
      pricing: {
        type: 'object',
        about: 'What tokens cost, where the program or the provider does not say.',
        ours: true,
        members: {
          input_per_million_usd: { type: 'number', about: 'US dollars.', default: '0' },
          output_per_million_usd: { type: 'number', about: 'US dollars.', default: '0' },
        },
      },
      transport: {
        type: '`stdio` or `streamable_http`',
        about: '`mcp`: how to reach it.',
        default: '`stdio`',
      },
      tool_name: { type: 'text', about: '`mcp`: the tool that takes a turn.', default: '`agentxchain_turn`' },
      url: { type: 'address', about: '`mcp`, `remote_agent`: where it listens.' },
      headers: {
        type: 'object of texts',
        about: '`mcp`, `remote_agent`: sent along; `\u0024{NAME}` is filled in from the environment.',
        each: { type: 'text', about: '' },
      },
      timeout_ms: { type: 'integer', about: '`remote_agent`: how long to wait.', default: '120000' },
      peer: { type: 'text', about: '`a2a`: the peer, as it is registered with the relay.', ours: true },
    },
  },
};
