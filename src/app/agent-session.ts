/**
 * What agents that run commands set for them. One list, in docs/operations.md too. Left out is what a person's own shell
 * may have as well, such as an agent's home folder or what an editor sets in every terminal.
 */
export const AGENT_VARIABLES: readonly string[] = [
  'AGENT',
  'AI_AGENT',
  'AMP_CURRENT_THREAD_ID',
  'AUGMENT_AGENT',
  'BATON_SESSION',
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLINE_ACTIVE',
  'CODEX_CI',
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'CODEX_THREAD_ID',
  'COPILOT_CLI',
  'CURSOR_AGENT',
  'GEMINI_CLI',
  'GOOSE_TERMINAL',
  'OPENCODE',
  'QWEN_CODE',
  'ROO_ACTIVE',
];

/** The variable that shows that an agent runs this command; undefined where none does. */
export function agentSessionOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return AGENT_VARIABLES.find((name) => {
    const value = env[name];
    return value !== undefined && value !== '' && value !== '0' && value !== 'false';
  });
}
