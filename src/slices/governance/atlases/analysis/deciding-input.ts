/** What of a request matters for a finding, and how to say it. */
import { formatMillis } from '../../../../kernel/instant.ts';
import { asRecord, isRecord } from '../../../../kernel/json/loose.ts';
import type { DecisionInput } from '../../policies/rules/decide.ts';

/** The same request without everything that can be left out while `matters` still holds. */
export function decidingInput(
  input: DecisionInput,
  matters: (input: DecisionInput) => boolean,
): DecisionInput {
  let least = input;
  const attempt = (next: DecisionInput) => {
    if (matters(next)) least = next;
  };
  const { asker, facts, ...rest } = least;
  if (asker) attempt({ ...rest, ...(facts && { facts }) });
  for (const fact of least.facts ?? [])
    attempt({ ...least, facts: (least.facts ?? []).filter((each) => each !== fact) });
  if (least.riskTier !== 'low') attempt({ ...least, riskTier: 'low' });
  if (least.agentId !== 'agent') attempt({ ...least, agentId: 'agent' });
  for (const key of Object.keys(least.context)) attempt({ ...least, context: without(least.context, [key]) });
  for (const scope of least.scopes)
    attempt({ ...least, scopes: new Set([...least.scopes].filter((each) => each !== scope)) });
  for (const path of leavesOf(least.parameters)) {
    if (least.parameters === undefined) break;
    attempt({ ...least, parameters: without(asRecord(least.parameters), path) });
  }
  if (isRecord(least.parameters) && Object.keys(least.parameters).length === 0) {
    const { parameters, ...unknown } = least;
    attempt(unknown);
  }
  return least;
}

/** `amount is 101 and the agent is night-bot`; of the clock only where it decides. */
export function inputInWords(input: DecisionInput, clock: boolean): string {
  const parts = [
    ...leavesOf(input.parameters).map(
      (path) => `${path.join('.')} is ${JSON.stringify(valueIn(input.parameters, path))}`,
    ),
    ...(isRecord(input.parameters) && Object.keys(input.parameters).length === 0
      ? ['no parameter is given']
      : []),
    ...(input.agentId === 'agent' ? [] : [`the agent is ${input.agentId}`]),
    ...(input.riskTier === undefined || input.riskTier === 'low' ? [] : [`the risk is ${input.riskTier}`]),
    ...Object.entries(input.context).map(([key, value]) => `the context has ${key} ${JSON.stringify(value)}`),
    ...[...input.scopes].map((scope) => `the credential has ${scope}`),
    ...(input.asker ? [`the credential is a ${input.asker.actorType}'s ${input.asker.credential}`] : []),
    ...(input.facts ?? []).map(
      ({ subject, predicate, value }) => `the fact ${subject} ${predicate} is ${JSON.stringify(value)}`,
    ),
    ...(clock ? [`it is ${formatMillis(input.now)}`] : []),
  ];
  return parts.length === 0 ? 'always' : `when ${parts.join(' and ')}`;
}

function leavesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (!isRecord(value)) return path.length === 0 ? [] : [path];
  return Object.entries(value).flatMap(([key, inner]) =>
    isRecord(inner) && Object.keys(inner).length > 0 ? leavesOf(inner, [...path, key]) : [[...path, key]],
  );
}

function valueIn(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, step) => asRecord(at)[step], value);
}

function without(
  record: Readonly<Record<string, unknown>>,
  [step, ...deeper]: readonly string[],
): Record<string, unknown> {
  const { [step as string]: found, ...rest } = record;
  if (deeper.length === 0 || !isRecord(found)) return rest;
  const inner = without(found, deeper);
  return Object.keys(inner).length === 0 ? rest : { ...rest, [step as string]: inner };
}
