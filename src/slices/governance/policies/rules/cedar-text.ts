/**
 * Cedar in `policy.parameters.cedar`. An `allow` holds where the text permits the request and forbids it nowhere, a `deny`
 * where a `forbid` of it applies. Cedar leaves out a statement that fails; here, nothing is granted by it and nothing escapes.
 */
import { formatMillis } from '../../../../kernel/instant.ts';
import { JsonNumber } from '../../../../kernel/json/value.ts';
import { CEDAR_PACKAGE, type Cedar, type CedarCall, loadCedar } from '../../../../platform/cedar.ts';
import type { DecisionInput } from './decide.ts';
import type { Outcome } from './when/outcome.ts';

export interface CedarRule {
  /** Whether the answer changes with the clock. */
  readonly timed: boolean;
  outcome(input: DecisionInput): Outcome;
}

/** For a text that cannot be read, or that nobody can evaluate here. */
export const UNREADABLE_CEDAR: CedarRule = { timed: false, outcome: () => 'unclear' };

const MISSING = `needs Cedar, which is not installed: npm install ${CEDAR_PACKAGE}@4.13 where Baton is installed`;
/** Texts are parsed once; the library keeps them by these names. */
const parsed = new Map<string, string>();

/** The rule, or what is wrong with the text. */
export function compileCedar(text: string, type: 'allow' | 'deny', cedar = loadCedar()): CedarRule | string {
  if (!cedar) return MISSING;
  const problem = cedarProblem(cedar, text, type);
  if (problem !== undefined) return problem;
  let name = parsed.get(text);
  if (name === undefined) {
    name = `atlas-${parsed.size}`;
    cedar.preparsePolicySet(name, { staticPolicies: text });
    parsed.set(text, name);
  }
  const preparsedPolicySetId = name;
  return {
    timed: /\bnow\b/.test(text),
    outcome(input) {
      const answer = cedar.statefulIsAuthorized({ preparsedPolicySetId, ...callOf(input) });
      if (answer.type === 'failure') return 'unclear';
      const { decision, diagnostics } = answer.response;
      if (type === 'deny' && decision === 'deny' && diagnostics.reason.length > 0) return true;
      if (diagnostics.errors.length > 0) return 'unclear';
      return type === 'allow' && decision === 'allow';
    },
  };
}

function cedarProblem(cedar: Cedar, text: string, type: 'allow' | 'deny'): string | undefined {
  const parts = cedar.policySetTextToParts(text);
  if (parts.type === 'failure')
    return `is no Cedar: ${parts.errors.map(({ message }) => message).join('; ')}`;
  if (parts.policy_templates.length > 0) return 'has a template, and nothing fills in its slots';
  const effects = parts.policies.map((policy) => {
    const read = cedar.policyToJson(policy);
    return read.type === 'success' ? read.json.effect : undefined;
  });
  if (type === 'allow' && !effects.includes('permit')) return 'has no permit, so it never allows';
  if (type === 'deny' && !effects.includes('forbid')) return 'has no forbid, so it never denies';
  if (type === 'deny' && effects.includes('permit')) return 'has a permit, which a deny policy does not read';
  return undefined;
}

function callOf(input: DecisionInput): CedarCall {
  const { agentId, subagent, scopes, asker, context, riskTier, now, parameters, action } = input;
  const uid = (type: string, id: string) => ({ type, id });
  const known = {
    ...(parameters !== undefined && { parameters }),
    request: context,
    risk_tier: riskTier ?? 'low',
    scopes: [...scopes],
    ...(subagent !== undefined && { subagent }),
    ...(asker && { actor: asker.actor, actor_type: asker.actorType, credential: asker.credential }),
  };
  const principal = uid('Agent', agentId);
  const asked = uid('Action', action?.id ?? '');
  const resource = uid('Project', asker?.project ?? '');
  return {
    principal,
    action: asked,
    resource,
    context: {
      ...(cedarValue(known) as Record<string, unknown>),
      now: { __extn: { fn: 'datetime', arg: formatMillis(now) } },
    },
    entities: [
      { uid: principal, attrs: {}, parents: [] },
      {
        uid: asked,
        attrs: {},
        parents: [...(action?.capabilities ?? [])].map((id) => uid('Action', `capability:${id}`)),
      },
      { uid: resource, attrs: {}, parents: [] },
    ],
  };
}

const DECIMAL = /^-?\d{1,14}\.\d{1,4}$/;

/** Cedar knows integers and decimals of four places; other numbers become text, which no comparison accepts. */
function cedarValue(value: unknown): unknown {
  if (typeof value === 'number' || value instanceof JsonNumber) {
    const lexeme = typeof value === 'number' ? String(value) : value.lexeme;
    if (/^-?\d+$/.test(lexeme) && Number.isSafeInteger(Number(lexeme))) return Number(lexeme);
    return DECIMAL.test(lexeme) ? { __extn: { fn: 'decimal', arg: lexeme } } : lexeme;
  }
  if (Array.isArray(value)) return value.filter((each) => each !== null).map(cedarValue);
  if (typeof value !== 'object' || value === null) return value;
  // Cedar has no null, and names of ours in its own notation would be read as entities.
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => each !== null && each !== undefined && !key.startsWith('__'))
      .map(([key, each]) => [key, cedarValue(each)]),
  );
}
