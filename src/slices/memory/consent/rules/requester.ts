import type { Micros } from '../../../../kernel/clock.ts';
import type { Policy } from './policy.ts';
import { durationSeconds, type Purpose } from './purpose.ts';

/** What is known about whoever makes a request. Something unknown satisfies no condition. */
export interface Requester {
  readonly agentDid: string;
  readonly tags?: readonly string[];
  readonly operatorDid?: string;
  readonly operatorVerified?: boolean;
  readonly audited?: boolean;
  /** 0 to 1, or out of five. */
  readonly trustScore?: number;
  readonly jurisdiction?: string;
  readonly https?: boolean;
  readonly purpose?: Purpose;
}

/** Whether a policy is about this agent at all: enabled, in force, and naming it. That is enough for its denials. */
export function concerns(policy: Policy, requester: Requester, now: Micros): boolean {
  if (!policy.enabled || now < policy.from || now >= policy.until) return false;
  return policy.matchesAgent(requester.agentDid) || policy.agentDids?.includes(requester.agentDid) === true;
}

/** Whether the policy may grant: every selector and condition holds by what is known about the requester. */
export function mayGrant(policy: Policy, requester: Requester, now: Micros): boolean {
  const { agentDids, agentTags, operatorDids } = policy;
  if (!concerns(policy, requester, now)) return false;
  if (agentDids && !agentDids.includes(requester.agentDid)) return false;
  if (agentTags && !agentTags.some((tag) => requester.tags?.includes(tag))) return false;
  if (operatorDids && !(requester.operatorDid && operatorDids.includes(requester.operatorDid))) return false;
  return meetsConditions(policy, requester, now) && meetsPurpose(policy, requester.purpose);
}

function meetsConditions({ conditions }: Policy, requester: Requester, now: Micros): boolean {
  const { minTrust, allowedJurisdictions, blockedJurisdictions, timeOfDay } = conditions;
  const { jurisdiction, trustScore } = requester;
  if (conditions.verifiedOperator && requester.operatorVerified !== true) return false;
  if (conditions.audit && requester.audited !== true) return false;
  if (conditions.https && requester.https !== true) return false;
  if (minTrust !== undefined) {
    if (trustScore === undefined || (trustScore > 1 ? trustScore / 5 : trustScore) < minTrust) return false;
  }
  if (allowedJurisdictions && !(jurisdiction && allowedJurisdictions.includes(jurisdiction))) return false;
  if (blockedJurisdictions && (!jurisdiction || blockedJurisdictions.includes(jurisdiction))) return false;
  return timeOfDay === undefined || isWithin(timeOfDay, now);
}

function meetsPurpose({ purpose: rules }: Policy, purpose: Purpose | undefined): boolean {
  if (!purpose) {
    return (
      !rules.required &&
      rules.denied.length === 0 &&
      !rules.legalBases &&
      rules.maxRetentionSeconds === undefined
    );
  }
  if (rules.allowed && !rules.allowed.includes(purpose.type)) return false;
  if (rules.denied.includes(purpose.type)) return false;
  if (rules.legalBases && !rules.legalBases.includes(purpose.legalBasis)) return false;
  if (rules.describe && purpose.description.trim() === '') return false;
  if (!rules.thirdParties && purpose.thirdParties === true) return false;
  if (!rules.automatedDecisions && purpose.automatedDecisions === true) return false;
  if (!rules.profiling && purpose.profiling === true) return false;
  if (rules.maxRetentionSeconds === undefined) return true;
  const asked = purpose.retention === undefined ? undefined : durationSeconds(purpose.retention);
  return asked !== undefined && asked <= rules.maxRetentionSeconds;
}

/** A window that ends before it starts spans midnight; an unreadable one is never open. */
function isWithin(window: { start: string; end: string; timezone: string }, now: Micros): boolean {
  const start = minutesOf(window.start);
  const end = minutesOf(window.end);
  const at = minutesAt(now, window.timezone);
  if (start === undefined || end === undefined || at === undefined) return false;
  return start <= end ? at >= start && at < end : at >= start || at < end;
}

function minutesOf(text: string): number | undefined {
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 24 || Number(minutes) > 59) return undefined;
  return Number(hours) * 60 + Number(minutes);
}

function minutesAt(now: Micros, timeZone: string): number | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    return minutesOf(format.format(new Date(now / 1000)));
  } catch {
    return undefined;
  }
}
