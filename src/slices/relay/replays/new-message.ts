import { asStrings, isRecord, type LooseRecord, present } from '../../../kernel/json/loose.ts';
import type { SentMessage } from '../a2a/sent-message.ts';
import type { Captured } from './captured.ts';

export interface NewIds {
  readonly messageId: string;
  readonly contextId: string | undefined;
  readonly taskId: string | undefined;
  readonly referenceTo: (taskId: string) => string | undefined;
}

export interface Speaking {
  /** Who says it this time: nobody speaks in the name of whoever said it first. */
  readonly speaker: string;
  readonly to: string;
}

/** The request that says to an agent what the captured one said, in a conversation of its own. */
export function newRequest(
  { version, peerId }: Pick<Captured, 'version' | 'peerId'>,
  { role, parts, rest }: SentMessage,
  { messageId, contextId, taskId, referenceTo }: NewIds,
  { speaker, to }: Speaking,
): LooseRecord {
  const { referenceTaskIds, metadata, ...others } = rest.message;
  const { tenant, metadata: ofRequest, ...request } = rest.request;
  const references = asStrings(referenceTaskIds).flatMap((id) => referenceTo(id) ?? []);
  const named = (given: unknown): LooseRecord => ({
    ...(isRecord(given) && given),
    'agent.id': speaker,
    'agent.target': to,
  });
  return present({
    ...request,
    // A tenant is one of the agent that it was said to.
    tenant: to === peerId ? tenant : undefined,
    ...(isRecord(ofRequest) && { metadata: withoutNames(ofRequest) }),
    message: present({
      ...(version === '0.3' && { kind: 'message' }),
      ...others,
      messageId,
      role: version === '1.0' ? `ROLE_${role.toUpperCase()}` : role,
      parts,
      contextId,
      taskId,
      referenceTaskIds: references.length > 0 ? references : undefined,
      metadata: named(metadata),
    }),
  });
}

function withoutNames(metadata: LooseRecord): LooseRecord {
  const { 'agent.id': _id, 'agent.target': _target, ...rest } = metadata;
  return rest;
}
