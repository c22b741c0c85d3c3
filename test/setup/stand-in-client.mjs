/**
 * Plays a coding agent for the pages' transcripts: it reads the hooks where the real client reads them, sends the real
 * client's messages at the same moments, obeys the answers, and really runs what nobody denies. A script takes the
 * model's place. `test/clients` does the same with the real clients.
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const [client, ...argv] = process.argv.slice(2);
// What Baton asks Codex before it marks hooks as trusted; without an answer it says so and goes on.
if (argv[0] === 'app-server') process.exit();
const prompt = argv.at(-1) ?? '';
const cwd = process.cwd();
const file =
  client === 'codex'
    ? join(process.env.CODEX_HOME ?? join(homedir(), '.codex'), 'hooks.json')
    : join(cwd, '.claude', 'settings.local.json');
const { hooks } = JSON.parse(readFileSync(file, 'utf8'));
const common = {
  session_id: randomUUID(),
  transcript_path: null,
  cwd,
  ...(client === 'codex' && { model: 'scripted', permission_mode: 'bypassPermissions' }),
};
const env =
  client === 'codex'
    ? { ...process.env, CODEX_CI: '1' }
    : { ...process.env, CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' };

/** What the hooks of an event answered. */
function tell(event, members = {}) {
  const answers = [];
  for (const { matcher, hooks: entries } of hooks[event] ?? []) {
    if (matcher && !new RegExp(`^(?:${matcher})$`).test(members.tool_name ?? '')) continue;
    for (const { command, args, timeout } of entries) {
      const input = JSON.stringify({ ...common, hook_event_name: event, ...members });
      const [program, words] = args ? [command, args] : ['sh', ['-c', command]];
      const { status, stdout, stderr } = spawnSync(program, words, {
        cwd,
        env,
        input,
        timeout: timeout * 1000,
      });
      if (status === 2)
        answers.push({ permissionDecision: 'deny', permissionDecisionReason: String(stderr) });
      if (status === 0 && String(stdout).trim()) answers.push(JSON.parse(stdout).hookSpecificOutput ?? {});
    }
  }
  return answers;
}

function use(tool_name, tool_input, run) {
  const call = { tool_name, tool_input, tool_use_id: randomUUID() };
  const denied = tell('PreToolUse', call).find(({ permissionDecision }) => permissionDecision === 'deny');
  if (denied) return console.log(`✖ ${denied.permissionDecisionReason}`);
  const { ok, text } = run();
  console.log(`${ok ? '✔' : '✖'} ${tool_input.command ?? tool_input.file_path}`);
  const failed = !ok && hooks.PostToolUseFailure;
  if (failed) tell('PostToolUseFailure', { ...call, error: text });
  else tell('PostToolUse', { ...call, tool_response: client === 'codex' ? text : { stdout: text } });
}

const bash = (command) =>
  use('Bash', { command }, () => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd, env });
    return { ok: status === 0, text: `${stdout}${stderr}` };
  });

const write = (path, content) =>
  use('Write', { file_path: join(cwd, path), content }, () => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
    return { ok: true, text: 'written' };
  });

function fix() {
  write('src/cart.js', 'export const total = (lines) => lines.reduce((sum, { cents }) => sum + cents, 0);\n');
  bash('node --check src/cart.js');
  bash('git add src && git commit -qm "Count the cart in cents"');
  return 'The cart is counted in cents, so nothing is rounded twice.';
}

function push() {
  bash('git push --force origin main');
  return 'I pushed as far as I was let.';
}

const context = [...tell('SessionStart', { source: 'startup' }), ...tell('UserPromptSubmit', { prompt })]
  .map(({ additionalContext }) => additionalContext ?? '')
  .join('\n');
const words = [];
if (/fix/i.test(prompt)) words.push(fix());
if (/push/i.test(prompt)) words.push(push());
const last = words.join(' ') || `I was told at the start:\n${context}`;
console.log(last);
tell('Stop', { stop_hook_active: false, last_assistant_message: last });
tell('SessionEnd', { reason: 'other' });
