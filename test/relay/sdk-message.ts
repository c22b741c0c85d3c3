/** Words in the shape in which the SDK wants them. */
import type { Message, Part, Role } from '@a2a-js/sdk';

export function sdkMessage(
  role: Role,
  text: string,
  { messageId, contextId, taskId }: Pick<Message, 'messageId' | 'contextId' | 'taskId'>,
): Message {
  return {
    messageId,
    contextId,
    taskId,
    role,
    parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

export function wordsOf(parts: readonly Part[] = []): string {
  return parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
}
