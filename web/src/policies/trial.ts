import type { Arguments, Operations } from '@baton-ledger/client';

type Trial = Arguments<Operations['carp.explain']>;

/** The question that a form asks. Throws a sentence where a field holds no JSON object. */
export function readTrial(form: Pick<FormData, 'get'>): Trial {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const [actionId, tier, at] = [text('action_id'), text('risk_tier'), text('now')];
  const parameters = readObject('parameters', text('parameters'));
  const context = readObject('context', text('context'));
  return {
    agent_id: text('agent_id'),
    ...(actionId && { action_id: actionId }),
    ...(tier && { risk_tier: tier as NonNullable<Trial['risk_tier']> }),
    ...(parameters && { parameters }),
    ...(context && { context }),
    ...(at && { now: new Date(at).toISOString() }),
  };
}

function readObject(name: string, text: string): Record<string, unknown> | undefined {
  if (text === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`The ${name} must be a JSON object, such as {"amount": 40}.`);
  }
  return value as Record<string, unknown>;
}
