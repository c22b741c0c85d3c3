/**
 * A hook of the tests' own: writes down what it is told, and does what a word in the tool's input asks for. It shows
 * what a client makes of each answer, without anything of Baton.
 */
import { appendFileSync, readFileSync } from 'node:fs';

const message = JSON.parse(readFileSync(0, 'utf8'));
appendFileSync(process.argv[2], `${JSON.stringify(message)}\n`);

const event = message.hook_event_name;
const answer = (members) =>
  console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...members } }));

if (event === 'SessionStart') answer({ additionalContext: `ORIENTED-BY-${message.source}` });
if (event === 'UserPromptSubmit' || event === 'BeforeAgent')
  answer({ additionalContext: 'BEARS-ON-THE-PROMPT' });
if (event === 'PreToolUse' || event === 'BeforeTool') {
  const word = /deny|ask|exit-2|exit-1|hang|garbage/.exec(JSON.stringify(message.tool_input))?.[0];
  const reason = 'rule R1 says no';
  if (word === 'deny' && event === 'BeforeTool') console.log(JSON.stringify({ decision: 'deny', reason }));
  else if (word === 'deny') answer({ permissionDecision: 'deny', permissionDecisionReason: reason });
  if (word === 'ask') answer({ permissionDecision: 'ask', permissionDecisionReason: 'rule R2 asks' });
  if (word === 'garbage') console.log('{ this is no JSON');
  if (word === 'hang') setTimeout(() => {}, 60_000);
  if (word?.startsWith('exit')) {
    console.error(reason);
    process.exitCode = Number(word.slice(-1));
  }
}
