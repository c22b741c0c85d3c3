import { inputOf, type Members, membersOf, resultText, textOf } from '../clients/members.ts';
import type { Place } from '../clients/paths.ts';
import { TranscriptBuilder, type TranscriptReader } from './transcript.ts';

/** Lines of `$CODEX_HOME/sessions/…/rollout-*.jsonl`. */
export function codexTranscript(place: Omit<Place, 'cwd'>): TranscriptReader {
  const builder = new TranscriptBuilder('codex', place);
  return {
    take(record) {
      const line = membersOf(record);
      const payload = membersOf(line.payload);
      const at = textOf(line, 'timestamp') ?? '';
      if (line.type === 'session_meta') builder.session ??= textOf(payload, 'id');
      if (line.type === 'session_meta' || line.type === 'turn_context')
        builder.cwd = textOf(payload, 'cwd') ?? builder.cwd;
      if (line.type === 'response_item') takeItem(builder, payload, at);
    },
    done: () => builder.done(),
  };
}

/** The client's own words in a person's place. */
const NOT_SAID =
  /^\s*(?:<(?:environment_context|user_instructions|permissions|hook_|INSTRUCTIONS)|# AGENTS\.md)/;

function takeItem(builder: TranscriptBuilder, item: Members, at: string): void {
  switch (item.type) {
    case 'message': {
      const text = resultText(item.content);
      if (item.role === 'user' && !NOT_SAID.test(text)) builder.said(text, at);
      if (item.role === 'assistant') builder.answered(text, at);
      return;
    }
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call': {
      const tool = textOf(item, 'name') ?? 'shell';
      const given = item.arguments ?? item.action;
      const input = given === undefined ? { input: item.input } : inputOf(given);
      builder.called(textOf(item, 'call_id') ?? '', { tool, input });
      return;
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const text = resultText(item.output);
      const code = /(?:exited with code|"exit_code":)\s*(-?\d+)/.exec(text)?.[1];
      builder.returned(
        textOf(item, 'call_id') ?? '',
        { ok: code === undefined ? undefined : code === '0', text },
        at,
      );
    }
  }
}
