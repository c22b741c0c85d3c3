/** Why a policy did not count, from the member of it that failed first. */
export function failureWords(failed: string): string {
  if (failed === 'atlas') return 'It belongs to another Atlas and allows only that Atlas’s actions.';
  if (failed === 'actions') return 'It covers other actions.';
  if (failed === 'conditions.capabilities') return 'The action is in none of its capabilities.';
  if (failed === 'conditions.risk_tiers') return 'It covers other risks.';
  if (failed === 'conditions.agents') return 'It covers other agents.';
  if (failed === 'conditions.time_window') return 'It applies at other times.';
  if (failed === 'parameters.required_scopes') return 'All the scopes it requires are granted.';
  const context = /^conditions\.context_matches\.(.*)$/.exec(failed)?.[1];
  if (context !== undefined) return `The context has another value for “${context}”.`;
  const test = /^parameters\.when ?(.*)$/.exec(failed)?.[1];
  if (test === '(no parameters yet)') return 'It checks parameters, and none were given.';
  if (test !== undefined) return test ? `Its parameter check fails: ${test}` : 'Its parameter check fails.';
  return failed;
}

/** The conditions of a policy as short sentences; none means always. */
export function conditionWords(conditions: Readonly<Record<string, unknown>> | undefined): string[] {
  return Object.entries(conditions ?? {}).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (name === 'time_window') return [`time: ${windowWords(value as Readonly<Record<string, unknown>>)}`];
    if (Array.isArray(value)) return [`${name.replaceAll('_', ' ')}: ${value.join(', ')}`];
    if (typeof value === 'object' && value !== null) {
      return Object.entries(value).map(([key, pattern]) => `${key} = ${String(pattern)}`);
    }
    return [`${name.replaceAll('_', ' ')}: ${String(value)}`];
  });
}

function windowWords({ start, end, days, timezone }: Readonly<Record<string, unknown>>): string {
  const hours = start || end ? `${String(start ?? '00:00')}–${String(end ?? '24:00')}` : 'all day';
  const on = Array.isArray(days) ? ` on ${days.join(', ')}` : '';
  return `${hours}${on}${typeof timezone === 'string' ? ` (${timezone})` : ''}`;
}

const KINDS = ['deny', 'scope', 'require_approval', 'rate_limit', 'budget', 'allow'];

/** What denies is asked before what lets a person decide, and that before what allows; then by priority. */
export function inOrder<P extends { readonly type: string; readonly priority?: number | undefined }>(
  policies: readonly P[],
): P[] {
  return policies.toSorted(
    (a, b) => KINDS.indexOf(a.type) - KINDS.indexOf(b.type) || (b.priority ?? 0) - (a.priority ?? 0),
  );
}
