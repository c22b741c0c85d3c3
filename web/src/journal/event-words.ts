import { didName } from '../ui/id-words.ts';

export interface EventWords {
  /** `package` of `package.deposited`: what the event is about. */
  readonly family: string;
  /** `Package deposited`: the type as a person says it. */
  readonly title: string;
  /** What of its payload tells it from others of its type, in short. */
  readonly gist: string;
}

/** Where the type alone would not say it. */
const TITLES: Readonly<Record<string, string>> = {
  'inbox.opened': 'Decision requested',
  'inbox.decided': 'Decision made',
  'inbox.applied': 'Decision applied',
  'inbox.failed': 'Decision could not be applied',
  'inbox.superseded': 'Question settled elsewhere',
  'inbox.expired': 'Question expired',
  'approval.granted': 'Approval granted',
  'approval.spent': 'Approval used up',
  'approval.used': 'Approval used',
  'approval.revoked': 'Approval revoked',
  'login.link_created': 'Sign-in link made',
  'login.started': 'Signed in',
  'login.unlocked': 'Presence proved',
  'login.ended': 'Signed out',
};

export function eventWords(type: string, payload: unknown): EventWords {
  const words = type.replaceAll(/[._-]+/g, ' ').trim();
  const title = TITLES[type] ?? words.charAt(0).toUpperCase() + words.slice(1);
  return {
    family: type.split('.')[0] ?? type,
    title,
    gist:
      payload === null
        ? 'content dropped by retention'
        : (sentenceOf(type, payload) ?? gistOf(payload, title)),
  };
}

/** Where its members make a sentence of their own. */
function sentenceOf(type: string, payload: unknown): string | undefined {
  if (type !== 'inbox.decided' || typeof payload !== 'object') return undefined;
  const { decided_by, decision, kind } = payload as Readonly<Record<string, unknown>>;
  const parts = [decided_by, decision, kind];
  if (!parts.every((part) => typeof part === 'string')) return undefined;
  return [didName(String(decided_by)), spelledOut(String(decision)), spelledOut(String(kind))].join(' ');
}

/** What people look for first, and the word before it. */
const TOLD_FIRST: readonly (readonly [name: string, word: string])[] = [
  ['title', ''],
  ['goal', ''],
  ['name', ''],
  ['decision', ''],
  ['action_id', ''],
  ['policy_id', 'rule'],
  ['effect', ''],
  ['result', ''],
  ['atlas_id', ''],
  ['agentDid', 'by'],
  ['profile', 'about'],
  ['actor_id', ''],
  ['agent_id', ''],
  ['requested_by', 'by'],
  ['decided_by', 'by'],
  ['kind', ''],
  ['risk', 'risk'],
  ['reason', 'because of'],
  ['rule', 'rule'],
];

/** Words of ours, not names that somebody gave. */
const SPELLED_OUT: Readonly<Record<string, string>> = {
  approve: 'approved',
  reject: 'rejected',
  answer: 'answered',
  carp_approval: 'an action',
  memory_proposal: 'a memory',
  package_review: 'a package',
  gate: 'a gate',
};
const OURS = new Set(['kind', 'effect', 'decision']);

const MEMBERS = 3;
const LONGEST = 48;

/** Hashes, numbers of records and instants tell a reader nothing at a glance. */
const UNTOLD = /^default_|(^|_)(hash|digest|id|ms|at|type|source|version)$/;

function gistOf(payload: unknown, title: string): string {
  if (typeof payload !== 'object' || payload === null) return '';
  const members = new Map(Object.entries(payload));
  const told: string[] = [];
  /** What the title or another member says already is not said again. */
  const known = new Set(title.toLowerCase().split(' '));
  for (const [name, word] of TOLD_FIRST) {
    const said = sayable(members.get(name));
    if (said === undefined || known.has(said)) continue;
    known.add(said);
    told.push(`${word} ${OURS.has(name) ? spelledOut(said) : said}`.trim());
  }
  for (const [name, value] of members) {
    const said =
      UNTOLD.test(name) || TOLD_FIRST.some(([first]) => first === name) ? undefined : sayable(value);
    if (said !== undefined && !known.has(said)) told.push(`${name.replaceAll('_', ' ')} ${said}`);
  }
  return told.slice(0, MEMBERS).join(' · ');
}

const spelledOut = (said: string) => SPELLED_OUT[said] ?? said.replaceAll('_', ' ');

/** `mem_0e29f3c35a46c409`: what it is the title says, and which one nobody could say. */
const AN_ID = /^[a-z]+_[0-9a-f]{12,}$/;

function sayable(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value === '' || AN_ID.test(value)) return undefined;
  const line = didName(value.replaceAll(/\s+/g, ' '));
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

/** A hue for each family, the same on every page and at every visit. */
export function familyHue(family: string): number {
  let sum = 7;
  for (const char of family) sum = (sum * 31 + char.charCodeAt(0)) % 997;
  return (sum * 47) % 360;
}
