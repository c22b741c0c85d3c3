import { type Members, membersOf, resultText, textOf } from '../clients/members.ts';
import type { Place } from '../clients/paths.ts';
import { TranscriptBuilder, type TranscriptReader } from './transcript.ts';

/** Lines of `~/.claude/projects/…/SESSION.jsonl`. */
export function claudeCodeTranscript(place: Omit<Place, 'cwd'>): TranscriptReader {
  const builder = new TranscriptBuilder('claude-code', place);
  return {
    take(record) {
      const line = membersOf(record);
      builder.session ??= textOf(line, 'sessionId');
      builder.cwd = textOf(line, 'cwd') ?? builder.cwd;
      const at = textOf(line, 'timestamp') ?? '';
      const { content } = membersOf(line.message);
      if (line.type === 'user' && line.isSidechain !== true) takeUser(builder, line, content, at);
      if (line.type === 'assistant') takeAssistant(builder, content, at, line.isSidechain === true);
    },
    done: () => builder.done(),
  };
}

/** What the client itself puts into a person's mouth. */
const NOT_SAID =
  /^\s*<(?:command-|local-command|task-notification|system-reminder)|^Caveat: |^\[Request interrupted/;

function takeUser(builder: TranscriptBuilder, line: Members, content: unknown, at: string): void {
  const blocks = Array.isArray(content) ? content.map(membersOf) : [];
  for (const block of blocks) {
    if (block.type !== 'tool_result') continue;
    const id = textOf(block, 'tool_use_id') ?? '';
    builder.returned(id, { ok: block.is_error !== true, text: resultText(block.content) }, at);
  }
  if (line.isMeta === true || line.toolUseResult !== undefined) return;
  const texts =
    typeof content === 'string' ? [content] : blocks.flatMap((block) => textOf(block, 'text') ?? []);
  const said = texts.filter((text) => !NOT_SAID.test(text)).join('\n');
  builder.said(said, at);
}

function takeAssistant(builder: TranscriptBuilder, content: unknown, at: string, aside: boolean): void {
  for (const block of (Array.isArray(content) ? content : []).map(membersOf)) {
    if (block.type === 'text' && !aside) builder.answered(textOf(block, 'text') ?? '', at);
    if (block.type === 'tool_use') {
      builder.called(textOf(block, 'id') ?? '', {
        tool: textOf(block, 'name') ?? '',
        input: membersOf(block.input),
      });
    }
  }
}
