import { routeOf } from '../../../config/rules/phases.ts';
import { isText, member } from '../../../document.ts';
import type { TurnContext } from './context.ts';
import type { Repair } from './normalize.ts';

export const repairNextRole: Repair = (draft, context, note) => {
  const missing = draft.proposed_next_role === undefined || draft.proposed_next_role === null;
  const illegal =
    draft.status === 'completed' &&
    isText(draft.proposed_next_role) &&
    !isLegalNext(context, draft.proposed_next_role);
  if (!missing && !illegal) return;
  const legal = pickNext(context);
  if (legal === undefined) return;
  note(
    missing
      ? `proposed_next_role was missing and is "${legal}".`
      : `"${String(draft.proposed_next_role)}" may not follow in this phase; "${legal}" does.`,
  );
  draft.proposed_next_role = legal;
};

/** A phase that lists nobody restricts nobody; a listed role must also exist. */
export function isLegalNext({ config, state }: TurnContext, role: string): boolean {
  const allowed = routeOf(config, state.phase)?.allowed_next_roles;
  if (role === 'human') return allowed === undefined || allowed.includes('human');
  return (allowed === undefined || allowed.includes(role)) && member(config.roles, role) !== undefined;
}

function pickNext(context: TurnContext): string | undefined {
  const self = context.turn?.assigned_role;
  const allowed = routeOf(context.config, context.state.phase)?.allowed_next_roles ?? [];
  const legal = allowed.filter((role) => isLegalNext(context, role));
  return legal.find((role) => role !== self) ?? legal[0];
}
