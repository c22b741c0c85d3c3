import { resultOf } from '../clients/gemini.ts';
import { type Members, membersOf, textOf } from '../clients/members.ts';
import type { Place } from '../clients/paths.ts';
import { TranscriptBuilder, type TranscriptReader } from './transcript.ts';

const MOST_MESSAGES = 5_000;

/** Lines of `~/.gemini/tmp/…/chats/session-*.jsonl`, or the messages of the older single JSON. */
export function geminiTranscript(place: Omit<Place, 'cwd'>): TranscriptReader {
  const builder = new TranscriptBuilder('gemini', place);
  // The same message is written again when it is complete.
  const messages = new Map<string, Members>();
  return {
    take(record) {
      const line = membersOf(record);
      builder.session ??= textOf(line, 'sessionId');
      for (const message of [line, ...(Array.isArray(line.messages) ? line.messages.map(membersOf) : [])]) {
        const id = textOf(message, 'id');
        if (id !== undefined && messages.size < MOST_MESSAGES) messages.set(id, message);
      }
    },
    done() {
      for (const message of messages.values()) takeMessage(builder, message);
      return builder.done();
    },
  };
}

function takeMessage(builder: TranscriptBuilder, message: Members): void {
  const at = textOf(message, 'timestamp') ?? '';
  const parts = Array.isArray(message.content) ? message.content.map(membersOf) : [];
  const isResult = parts.some((part) => part.functionResponse !== undefined);
  const text =
    typeof message.content === 'string'
      ? message.content
      : parts.flatMap((part) => textOf(part, 'text') ?? []).join('\n');
  if (message.type === 'user' && !isResult) {
    builder.said(text.replace(/^\s*<hook_context>[\s\S]*?<\/hook_context>\s*/, ''), at);
  }
  if (message.type !== 'gemini') return;
  builder.answered(text, at);
  for (const [index, call] of (Array.isArray(message.toolCalls) ? message.toolCalls : [])
    .map(membersOf)
    .entries()) {
    const id = textOf(call, 'id') ?? String(index);
    const { ok, text: told } = resultOf(responseOf(call));
    builder.called(id, { tool: textOf(call, 'name') ?? '', input: membersOf(call.args) });
    builder.returned(
      id,
      { ok: ok === true && call.status !== 'error', text: told },
      textOf(call, 'timestamp') ?? at,
    );
  }
}

/** What the model was told; what the person was shown says nothing of how a command ended. */
function responseOf(call: Members): unknown {
  const [first] = Array.isArray(call.result) ? call.result.map(membersOf) : [];
  return membersOf(first?.functionResponse).response ?? call.result ?? call.resultDisplay;
}
