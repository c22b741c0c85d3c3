import { asText } from '../../../kernel/json/loose.ts';
import type { Risk } from '../../inbox/item.ts';
import type { JournalEvent } from '../../journal/events/stored-event.ts';
import { type Notice, type NoticeKind, RISKS } from '../kinds.ts';

/** The events that anybody may want to be told of. */
export const NOTICED_EVENTS = [
  'inbox.opened',
  'action.denied',
  'budget.exceeded_warn',
  'run.blocked',
  'run.completed',
] as const;

const OF_BUDGETS = /^budget_/;

/** What an event of the journal is told as; undefined if it is not. */
export function noticeOf({ event, projectId }: JournalEvent): Notice | undefined {
  const payload: Readonly<Record<string, unknown>> = event.payload ?? {};
  const told = (kind: NoticeKind): Notice => ({
    key: `event:${event.event_id}`,
    kind,
    projectId,
    risk: null,
    itemId: null,
  });
  switch (event.event_type) {
    case 'inbox.opened': {
      const itemId = asText(payload.item_id);
      return itemId === undefined ? undefined : aboutItem('inbox', itemId, projectId, riskOf(payload.risk));
    }
    case 'action.denied':
      return told(OF_BUDGETS.test(asText(payload.reason) ?? '') ? 'budget' : 'denied');
    case 'budget.exceeded_warn':
      return told('budget');
    case 'run.blocked':
      return told('run_stopped');
    case 'run.completed':
      return told('run_finished');
    default:
      return undefined;
  }
}

export function aboutItem(
  kind: 'inbox' | 'expiring',
  itemId: string,
  projectId: string,
  risk: Risk | null,
): Notice {
  return { key: `${kind}:${itemId}`, kind, projectId, risk, itemId };
}

function riskOf(value: unknown): Risk | null {
  return RISKS.find((risk) => risk === value) ?? null;
}
