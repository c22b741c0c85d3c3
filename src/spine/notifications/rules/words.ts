import type { Micros } from '../../../kernel/clock.ts';
import { inline } from '../../../kernel/quoted.ts';
import type { Risk } from '../../inbox/item.ts';
import type { Content, NoticeKind } from '../kinds.ts';
import { localTime } from './due.ts';

/** One thing that is told, with what is known of it now. */
export interface Told {
  readonly kind: NoticeKind;
  readonly projectId: string;
  readonly risk: Risk | null;
  readonly item: {
    readonly itemId: string;
    readonly kind: string;
    /** Null where it tells of a person. */
    readonly title: string | null;
    readonly expires: Micros | null;
  } | null;
}

export interface Words {
  /** One line. */
  readonly subject: string;
  readonly lines: readonly string[];
  readonly link: string;
}

const MOST_LINES = 20;
const LONGEST_NAME = 60;

/** What a message says about these things, and no more than its reader has set. */
export function wordsFor(
  things: readonly Told[],
  { content, origin, zone }: { readonly content: Content; readonly origin: string; readonly zone: string },
): Words {
  const link = linkFor(things, origin);
  const [only] = things;
  if (content === 'nothing') {
    const subject = things.length === 1 ? 'Something waits for you' : `${things.length} things wait for you`;
    return { subject: `${subject} in Baton`, lines: [], link };
  }
  if (things.length === 1 && only) {
    return { subject: sentence(only, zone), lines: content === 'title' ? titleOf(only) : [], link };
  }
  const lines = content === 'title' ? titled(things, zone) : counted(things, zone);
  const projects = new Set(things.map(({ projectId }) => projectId));
  const where = projects.size === 1 ? name(things[0]!.projectId) : `${projects.size} projects`;
  return { subject: `${things.length} things to look at in ${where}`, lines: bounded(lines), link };
}

/** An address of the dashboard, which asks for a sign-in like any other. */
function linkFor(things: readonly Told[], origin: string): string {
  const items = things.flatMap(({ item }) => (item ? [item.itemId] : []));
  if (things.length === 1 && items[0] !== undefined)
    return `${origin}/inbox?item=${encodeURIComponent(items[0])}`;
  if (items.length > 0) return `${origin}/inbox`;
  return things.every(({ kind }) => kind === 'run_stopped' || kind === 'run_finished')
    ? `${origin}/runs`
    : `${origin}/journal`;
}

const ITEM_NAMES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  carp_approval: ['An approval', 'approvals'],
  package_review: ['A review', 'reviews'],
  memory_proposal: ['A memory proposal', 'memory proposals'],
  memory_batch: ['A batch of memories', 'batches of memories'],
  agent_card: ['A changed agent card', 'changed agent cards'],
  gateway_tools: ['A change of tools', 'changes of tools'],
  gate: ['A gate', 'gates'],
  needs_human: ['A question', 'questions'],
  escalation: ['An escalation', 'escalations'],
};
const OTHER: readonly [string, string] = ['A decision', 'decisions'];

const namesOf = ({ item }: Told) => ITEM_NAMES[item?.kind ?? ''] ?? OTHER;
const ofRisk = ({ risk }: Told) => (risk === null ? '' : ` of ${risk} risk`);
const name = (projectId: string) => inline(projectId, LONGEST_NAME);

function sentence(told: Told, zone: string): string {
  const where = name(told.projectId);
  switch (told.kind) {
    case 'inbox':
      return `${namesOf(told)[0]}${ofRisk(told)} waits in ${where}`;
    case 'expiring': {
      const expires = told.item?.expires ?? null;
      const at = expires === null ? 'soon' : `at ${localTime(expires, zone)} (${zone})`;
      return `${namesOf(told)[0]}${ofRisk(told)} in ${where} expires ${at}`;
    }
    case 'denied':
      return `An action was denied in ${where}`;
    case 'budget':
      return `A budget is used up in ${where}`;
    case 'run_stopped':
      return `A run has stopped in ${where}`;
    case 'run_finished':
      return `A run has finished in ${where}`;
  }
}

function plural(told: Told, count: number): string {
  const where = name(told.projectId);
  switch (told.kind) {
    case 'inbox':
      return `${count} ${namesOf(told)[1]}${ofRisk(told)} wait in ${where}`;
    case 'expiring':
      return `${count} ${namesOf(told)[1]}${ofRisk(told)} in ${where} expire soon`;
    case 'denied':
      return `${count} actions were denied in ${where}`;
    case 'budget':
      return `${count} times a budget was used up in ${where}`;
    case 'run_stopped':
      return `${count} runs have stopped in ${where}`;
    case 'run_finished':
      return `${count} runs have finished in ${where}`;
  }
}

function titleOf({ item }: Told): string[] {
  return item?.title ? [inline(item.title, 200)] : [];
}

function titled(things: readonly Told[], zone: string): string[] {
  return things.map((told) => [sentence(told, zone), ...titleOf(told)].join(': '));
}

/** One line for all that are alike. */
function counted(things: readonly Told[], zone: string): string[] {
  const groups = new Map<string, Told[]>();
  for (const told of things) {
    const key = JSON.stringify([told.kind, told.projectId, told.risk, namesOf(told)[1]]);
    const group = groups.get(key);
    if (group) group.push(told);
    else groups.set(key, [told]);
  }
  return [...groups.values()].map((group) =>
    group.length === 1 ? sentence(group[0]!, zone) : plural(group[0]!, group.length),
  );
}

function bounded(lines: readonly string[]): string[] {
  if (lines.length <= MOST_LINES) return [...lines];
  return [...lines.slice(0, MOST_LINES), `and ${lines.length - MOST_LINES} more`];
}
