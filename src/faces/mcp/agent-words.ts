import type { BatonError } from '../../kernel/error.ts';
import { inline, named } from '../../kernel/quoted.ts';
import { visibleJson } from '../../kernel/visible-text.ts';
import type { Action } from './actions.ts';
import { CALL_ACTION, FIND_ACTION } from './find-action.ts';

const MOST_OF_MESSAGE = 1000;
const MOST_OF_DETAILS = 800;

const call = (id: string) => `Call ${CALL_ACTION} with action ${id}`;

/**
 * What to do next, for whoever has tools and neither a command line nor headers. What stands in no row here is said in
 * the words of the error's own table: a test holds both to an agent's terms.
 */
const NEXT: Readonly<Record<string, string>> = {
  A2P004: 'Ask the person to let you see it; memory.my_access shows what you may see.',
  A2P005: 'Wait, then try again.',
  A2P006: 'Correct the argument that is named.',
  action_not_found: `${call('governance.resolve')} and a goal: it lists the actions that you have.`,
  actor_mismatch: 'Leave the actor out: it is you.',
  agent_session:
    'Only the person decides this, in the dashboard or a terminal of their own. Tell them that it waits.',
  ambiguous_package_id: 'Name the project with the argument project.',
  approval_not_found: `${call('inbox.list')} to see what waits.`,
  atlas_not_found: `${call('governance.atlases')} to see the loaded ones.`,
  channel_not_found: `${call('channel.list')} to see the channels.`,
  channel_state_missing: `${call('channel.post')} to write one.`,
  event_not_found: `${call('journal.changes')} to see the events that exist.`,
  exchange_failed: 'See details for the error of the other agent.',
  forbidden: 'Your key does not allow this. Do without, or tell the person which scope is missing.',
  hash_mismatch: 'Leave the hash out.',
  human_required: 'Only a person decides this; it waits in their inbox.',
  internal_error: 'Try once more; if it happens again, tell the person.',
  invalid_cursor: 'Use `next` of the page before, or leave the cursor out to start over.',
  invalid_input: 'Correct it and call again.',
  invalid_parameters: 'Correct the parameter that is named, and ask again.',
  invalid_schema: 'Correct the argument that is named.',
  item_not_found: `${call('inbox.list')} to see the items.`,
  memory_profile_missing: 'The person has no memory profile yet; go on without.',
  nothing_known:
    'Give the id of a package, fact, event, resolution, execution, inbox item, memory, turn, task or span; name the project if it is another.',
  nothing_to_replay: `Only what went through the relay can be sent again; ${call('traces.sessions')} to see what did.`,
  package_not_found: `Find it with search, or ${call('context.pull').replace('Call', 'call')}.`,
  package_redacted: 'Its content is gone for good; go on without it.',
  peer_not_found: `${call('relay.peers')} to see the agents that can be reached.`,
  project_archived: 'Work in another project, or ask the person to restore this one.',
  project_not_found: `${call('context.projects')} to see the projects that you can use, or leave project out for your own.`,
  quota_exceeded: 'Wait, or tell the person that the quota in details is used up.',
  rate_limited: 'Wait, then try again.',
  replay_not_found: `${call('relay.replay')} to make one; its answer has the id.`,
  repository_not_found: `${call('runs.repositories')} to see those of the project.`,
  secret_found: 'Remove what details.findings names, and deposit again.',
  self_review: 'Another person has to review it; it waits in their inbox.',
  session_already_ended: 'Leave session_id out: you get a session of your own.',
  session_not_found: 'Leave session_id out: you get a session of your own.',
  session_not_owned: 'Leave session_id out: you get a session of your own.',
  signature_required: 'This project takes only signed packages; tell the person.',
  state_corrupt: 'Tell the person: the run has to be restored.',
  task_not_known: `${call('relay.tasks')} to see the tasks.`,
  relay_session_not_found: `${call('traces.sessions')} and take an id from there.`,
  annotation_not_found: `${call('traces.annotations')} and take an id of your own from there.`,
  too_many_replays: 'Wait until one of them has ended, then try again.',
  trace_not_found: `${call('traces.sessions')} and take a trace id from there.`,
};

/** What an agent has no use for: addresses, headers, commands. */
export const NOT_FOR_AGENTS =
  /`baton |\/v1\/|\/a2p\/|GET |POST |PUT |`\?|header|`Retry-After`|`Link`|`pointer`|Relay-|request_id|--\w/;

export function nextFor(code: string, next: string): string {
  return NEXT[code] ?? (NOT_FOR_AGENTS.test(next) ? 'Tell the person what happened.' : next);
}

/** A message may repeat what somebody wrote. */
export function agentSentence(error: BatonError, action?: Action): string {
  const where = argumentAt(error.pointer);
  const at = where === undefined ? '' : ` (argument ${named(where)})`;
  const wait = error.retryAfterSeconds === undefined ? '' : ` Wait ${error.retryAfterSeconds} s.`;
  const shape =
    action && error.code === 'invalid_input'
      ? ` ${FIND_ACTION} with action ${action.id} shows what it takes.`
      : '';
  const message = error.code === 'invalid_input' ? faultsIn(error) : inline(error.message, MOST_OF_MESSAGE);
  return `${error.code}: ${message}${at} ${inline(nextFor(error.code, error.next), MOST_OF_MESSAGE)}${shape}${wait}${detailsOf(error)}`;
}

/** `/items/0/path` as an agent wrote it: items[0].path. */
function argumentAt(pointer: string | undefined): string | undefined {
  if (!pointer) return undefined;
  const steps = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.map((step, at) => (/^\d+$/.test(step) ? `[${step}]` : at === 0 ? step : `.${step}`)).join('');
}

interface Issue {
  readonly pointer: string;
  readonly message: string;
}

function faultsIn({ details, message }: BatonError): string {
  const issues = (details?.issues as readonly Issue[] | undefined) ?? [];
  if (issues.length === 0 || issues[0]?.message === undefined) return inline(message, MOST_OF_MESSAGE);
  return issues
    .slice(0, 5)
    .map((issue) => {
      const missing = /received undefined/.test(issue.message);
      const where = argumentAt(issue.pointer);
      const what = missing ? issue.message.replace(/, received undefined/, '') : issue.message;
      const said = missing ? `is missing (${inline(what)})` : inline(what);
      return where === undefined ? said : `${named(where)}: ${said}`;
    })
    .join('; ')
    .replace(/\.?$/, '.');
}

function detailsOf({ details, code }: BatonError): string {
  if (!details || code === 'invalid_input' || Object.keys(details).length === 0) return '';
  const text = visibleJson(JSON.stringify(details));
  return text.length <= MOST_OF_DETAILS ? ` details: ${text}` : '';
}
