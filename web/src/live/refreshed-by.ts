/** Which part of what the page has read is out of date after an event, by the family of its type. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  inbox: ['inbox'],
  key: ['keys'],
  invitation: ['invitations'],
  package: ['context'],
  fact: ['context'],
  session: ['context', 'policies'],
  project: ['projects', 'context'],
  atlas: ['policies'],
  carp: ['policies'],
  policy: ['policies'],
  action: ['policies'],
  approval: ['policies'],
  resolution: ['policies'],
  memory: ['memory'],
  run: ['runs'],
  turn: ['runs'],
  gate: ['runs'],
  phase: ['runs'],
  escalation: ['runs'],
  human: ['runs'],
  delegation: ['runs'],
  notification: ['notifications'],
  peer: ['traces'],
  task: ['traces'],
};

export function refreshedBy(eventType: string): readonly string[] {
  return FAMILIES[eventType.split('.')[0] ?? ''] ?? [];
}
