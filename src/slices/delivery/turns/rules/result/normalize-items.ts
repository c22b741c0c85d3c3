import { isNonBlank, isRecord, isString, type LooseRecord } from '../../../../../kernel/json/loose.ts';
import { DECISION_ID, numberedId, OBJECTION_ID } from '../../../ids.ts';
import { DECISION_CATEGORIES } from '../../turn-result.ts';
import type { Repair } from './normalize.ts';

const STATEMENT_SIBLINGS = ['decision', 'title', 'summary', 'description', 'text', 'rationale'];
const RATIONALE_SIBLINGS = ['reason', 'reasoning', 'justification', 'description', 'statement'];

export const repairDecisions: Repair = (draft, context, note) => {
  if (draft.decisions === undefined || draft.decisions === null) {
    draft.decisions = [];
    note('decisions was missing and is empty.');
  }
  if (!Array.isArray(draft.decisions)) return;
  const own = new Set(draft.decisions.map((decision) => (isRecord(decision) ? decision.id : undefined)));
  const isFree = (id: string) => !own.has(id) && !context.takenDecisionIds.has(id);
  draft.decisions = draft.decisions.map((decision, index) => {
    if (!isRecord(decision)) return decision;
    const fixed = { ...decision };
    renumber(fixed, DECISION_ID, 'DEC', index + 1, isFree, own, note);
    copyText(fixed, 'statement', STATEMENT_SIBLINGS, note);
    copyText(fixed, 'rationale', RATIONALE_SIBLINGS, note);
    if (!isString(fixed.category) || !(DECISION_CATEGORIES as readonly string[]).includes(fixed.category)) {
      note(`the category of ${String(fixed.id)} was unknown and is "implementation".`);
      fixed.category = 'implementation';
    }
    return fixed;
  });
};

export const repairObjections: Repair = (draft, _context, note) => {
  if (draft.objections === undefined || draft.objections === null) {
    draft.objections = [];
    note('objections was missing and is empty.');
  }
  if (!Array.isArray(draft.objections)) return;
  const own = new Set(draft.objections.map((objection) => (isRecord(objection) ? objection.id : undefined)));
  draft.objections = draft.objections.map((objection, index) => {
    if (!isRecord(objection)) return objection;
    const fixed = { ...objection };
    renumber(fixed, OBJECTION_ID, 'OBJ', index + 1, (id) => !own.has(id), own, note);
    copyText(fixed, 'statement', ['objection', 'summary', 'description', 'text', 'detail'], note);
    return fixed;
  });
};

/** Uses the position in the list, or the next number that is free. */
function renumber(
  item: Record<string, unknown>,
  pattern: RegExp,
  prefix: string,
  position: number,
  isFree: (id: string) => boolean,
  own: Set<unknown>,
  note: (what: string) => void,
): void {
  if (isString(item.id) && pattern.test(item.id)) return;
  let number = position;
  while (!isFree(numberedId(prefix, number))) number += 1;
  const id = numberedId(prefix, number);
  note(`the id ${JSON.stringify(item.id) ?? '(none)'} was replaced by ${id}.`);
  own.add(id);
  item.id = id;
}

function copyText(
  item: Record<string, unknown>,
  key: string,
  siblings: readonly string[],
  note: (what: string) => void,
) {
  if (item[key] !== undefined && item[key] !== null) return;
  const source = siblings.find((sibling) => isNonBlank((item as LooseRecord)[sibling]));
  if (source === undefined) return;
  item[key] = item[source];
  note(`${key} of ${String(item.id)} was copied from ${source}.`);
}
