/** What an agent and a person read of a decision. */
import { cited, inline, named } from '../../../kernel/quoted.ts';
import type { Step } from '../clients/steps.ts';
import type { StepJudgement } from '../ports.ts';

/** What a step does, in one line. */
export function shownStep({ action, parameters }: Step): string {
  switch (action) {
    case 'shell.run':
      return inline(String(parameters.command), 300);
    case 'file.read':
    case 'file.write':
    case 'file.delete':
      return `${action.slice('file.'.length)} ${inline(String(parameters.path), 300)}`;
    case 'web.fetch':
      return `fetch ${inline(String(parameters.url), 300)}`;
    case 'web.search':
      return `search ${cited(String(parameters.query), 200)}`;
    case 'mcp.call':
      return `call ${named(`${parameters.server}/${parameters.name}`)}`;
    case 'agent.start':
      return `start a subagent ${named(String(parameters.kind))}`;
    case 'tool.use':
      return `use ${named(String(parameters.tool))}`;
  }
}

/** Which rule, and where somebody reads it. */
function ruleText(step: StepJudgement, rules: RulesFile | undefined): string {
  const file = rules?.id === step.atlas.id ? ', in .baton/atlas' : '';
  return `rule ${named(step.policyId)} of ${named(step.atlas.id)} ${named(step.atlas.version)}${file}`;
}

/** The Atlas that the repository's own files were loaded as. */
export interface RulesFile {
  readonly id: string;
}

export function denialText(steps: readonly StepJudgement[], rules: RulesFile | undefined): string {
  const lines = steps
    .filter(({ effect }) => effect === 'deny')
    .slice(0, 5)
    .map((step) => `${shownStep(stepOf(step))}: ${inline(step.reason, 300)} (${ruleText(step, rules)})`);
  return `Denied by policy. ${lines.join('; ')}. Do not try another way around it; ask the person you work for if it is needed.`;
}

export function questionText(steps: readonly StepJudgement[], rules: RulesFile | undefined): string {
  const lines = steps
    .filter(({ effect }) => effect === 'ask')
    .slice(0, 5)
    .map(
      (step) =>
        `${shownStep(stepOf(step))} (${inline(step.reason || 'a person must agree', 200)}; ${ruleText(step, rules)})`,
    );
  return `Policy asks a person first: ${lines.join('; ')}`;
}

export function waitingText(items: readonly string[]): string {
  const verb = items.length === 1 ? 'waits' : 'wait';
  return `Nobody has answered; this is not a refusal. ${items.map((item) => named(item)).join(', ')} ${verb}; go on elsewhere and repeat the same call later.`;
}

export function refusedText(item: string, note: string | null): string {
  const words = note === null || note === '' ? '' : ` They said: ${cited(note)}.`;
  return `A person refused this (${named(item)}).${words} Do not try another way around it.`;
}

function stepOf({ actionId, parameters }: StepJudgement): Step {
  return { action: actionId as Step['action'], parameters };
}
