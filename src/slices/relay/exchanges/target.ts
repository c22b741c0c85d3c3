import { asText, type LooseRecord } from '../../../kernel/json/loose.ts';
import type { PlainAnswer } from '../../../spine/operations/plain.ts';
import { type ObservedMessage, observeMessage } from '../a2a/observe.ts';
import type { A2aRequest } from '../a2a/read-request.ts';
import { errorResponse, peerError, RPC } from '../a2a/reply.ts';
import type { PeerDirectory } from '../peers/directory.ts';
import { PeerFailure } from '../peers/failure.ts';
import type { Peer } from '../peers/store.ts';
import type { TaskOwners } from '../tasks/owners.ts';

/** The task that a request is about, as far as it names one. */
export function taskNamed(params: LooseRecord, message: ObservedMessage | undefined): string | undefined {
  return message?.taskId ?? asText(params.taskId) ?? asText(params.id);
}

/** No peer takes the message; the name is what it asked for. */
export interface UnknownTarget {
  readonly unknownTarget: string;
}

/** Routing by what the message says, or by whose task it is about. */
export async function targetOf(
  { peers, tasks }: { readonly peers: PeerDirectory; readonly tasks: TaskOwners },
  projectId: string,
  call: A2aRequest,
): Promise<Peer | UnknownTarget | PlainAnswer> {
  const { params } = call;
  const message = observeMessage(params);
  const named = asText(message?.metadata['agent.target']);
  const taskId = named ? undefined : taskNamed(params, message);
  const owner = taskId === undefined ? undefined : await tasks.ownerOf(projectId, taskId);
  const peerId = named ?? owner?.peer_id;
  const peer = peerId === undefined ? undefined : await peers.find(projectId, peerId);
  if (peer) return peer;
  const refuse = (code: number, why: string) => errorResponse(call, { code, message: why });
  if (taskId) return refuse(RPC.taskNotFound, `No peer is known to own the task ${taskId}.`);
  if (!message) return refuse(RPC.invalidParams, 'The request names no task.');
  return { unknownTarget: named ?? '' };
}

/** The answer to a message for an agent that is not there. */
export function unknownTargetAnswer({ unknownTarget }: UnknownTarget, call: A2aRequest): PlainAnswer {
  const failure = new PeerFailure(
    'peer_404',
    unknownTarget
      ? `No peer ${unknownTarget} is registered.`
      : 'The message names no target: set metadata["agent.target"].',
  );
  return errorResponse(call, peerError(failure));
}
