/** The answer in words: what an agent reads first, and often all that it reads. */
import { cited, inline, named } from '../../../kernel/quoted.ts';
import type { Approval } from '../approvals/store.ts';
import type { Permission } from './schema.ts';

const NOTHING = { rule: null, reason: null, approvals: [], limits: [], retry_after_seconds: null } as const;
const MOST_NAMED = 30;

type Limits = Permission['limits'];

export function allowed(action: string, limits: Limits): Permission {
  const bounds = limits.length > 0 ? ` ${limitWords(limits)}` : '';
  const words = `Allowed: do ${named(action)} now, once, with exactly these parameters. Ask again before the next time.${bounds}`;
  return { ...NOTHING, decision: 'allowed', words, action, approvals: [], limits };
}

export function runByBaton(action: string, waits: boolean, limits: Limits): Permission {
  const how = `Baton runs ${named(action)} itself: call governance.execute with the same action and parameters`;
  const words = waits ? `${how}. A person has to agree first, whom it asks.` : `Allowed. ${how}.`;
  return { ...NOTHING, decision: waits ? 'needs_person' : 'allowed', words, action, approvals: [], limits };
}

export function needsPerson(action: string, approvals: readonly Approval[], limits: Limits): Permission {
  const [first] = approvals;
  const who = [...new Set(approvals.flatMap((each) => each.approvers ?? []))].map((id) => named(id));
  const people = who.length > 0 ? `${who.join(' or ')} has` : 'A person has';
  const ids = approvals.map(({ approvalId }) => approvalId).join(', ');
  const words = `${people} to agree before you do ${named(action)}; they are asked in the inbox (${ids}). Nobody has answered yet, and this is not a refusal: go on with something else, then ask again with the same action and parameters (wait: 50 holds the call for them). Do not do it before that.`;
  return {
    ...NOTHING,
    decision: 'needs_person',
    words,
    action,
    rule: first?.policyId ?? null,
    reason: first?.reason ?? null,
    approvals: approvals.map((each) => ({
      approval_id: each.approvalId,
      rule: each.policyId,
      approvers: each.approvers && [...each.approvers],
      expires_at: each.expiresAt,
    })),
    limits,
  };
}

export function denied(
  action: string,
  reason: string,
  rule: string | null,
  retryAfterSeconds?: number,
): Permission {
  const by = rule === null ? '' : ` by the rule ${named(rule)}`;
  const next =
    retryAfterSeconds === undefined
      ? 'Do not do it and do not try another way; choose something else, or ask a person.'
      : `Ask again in ${Math.ceil(retryAfterSeconds)} s.`;
  return {
    ...NOTHING,
    decision: 'denied',
    words: `Denied${by}: ${inline(reason)}. ${next}`,
    action,
    rule,
    reason,
    approvals: [],
    limits: [],
    retry_after_seconds: retryAfterSeconds ?? null,
  };
}

export function refusedByPerson(
  action: string,
  { approver, decisionReason, policyId }: Approval,
): Permission {
  const said = decisionReason ? `: ${cited(decisionReason)}` : '';
  const words = `Denied: ${approver === null ? 'a person' : named(approver)} was asked and said no${said}. Do not do it; asking again with the same parameters changes nothing.`;
  return {
    ...NOTHING,
    decision: 'denied',
    words,
    action,
    rule: policyId,
    reason: decisionReason,
    approvals: [],
    limits: [],
  };
}

export function unknownAction(action: string, offered: readonly string[]): Permission {
  const known = offered.slice(0, MOST_NAMED).map((id) => named(id));
  const more = offered.length > MOST_NAMED ? ` and ${offered.length - MOST_NAMED} more` : '';
  const list =
    known.length > 0
      ? `Actions that you may ask about: ${known.join(', ')}${more}.`
      : 'No rules offer you any action here.';
  const words = `Denied: no rule of this project knows the action ${cited(action)}, and what no rule allows is denied. ${list}`;
  return { ...NOTHING, decision: 'denied', words, action, approvals: [], limits: [] };
}

function limitWords(limits: Limits): string {
  const each = limits.map(({ type, remaining }) =>
    remaining === undefined
      ? `a ${inline(type)} applies`
      : `${inline(String(remaining))} left of a ${inline(type)}`,
  );
  return `Limits: ${each.join('; ').replaceAll('_', ' ')}.`;
}
