import { asRecords, asText, isNonBlank, isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import { tryParse } from '../parse.ts';
import type { NewIntent } from './intent.ts';

/**
 * Reads issues from a file: the JSON of an issue or a list of them, as `gh issue list --json number,title,body,state,url`
 * writes it, or a Markdown file with a title in its front matter or first heading. Closed issues are left out.
 */
export function readIssues(name: string, text: string): readonly NewIntent[] {
  if (name.endsWith('.json')) {
    const document = tryParse(text);
    return (isRecord(document) ? [document] : asRecords(document)).flatMap((issue) =>
      fromRecord(name, issue),
    );
  }
  const [, front = '', rest = text] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(text) ?? [];
  const title = member(front, 'title') ?? /^#\s+(.+)$/m.exec(rest)?.[1]?.trim();
  if (title === undefined || /^closed$/i.test(member(front, 'state') ?? '')) return [];
  const body = rest.replace(/^#\s+.+\r?\n/, '').trim();
  return [{ title, body, source: { kind: 'issue', ref: member(front, 'url') ?? name } }];
}

function fromRecord(name: string, issue: LooseRecord): readonly NewIntent[] {
  if (!isNonBlank(issue.title) || /^closed$/i.test(String(issue.state ?? ''))) return [];
  const ref = asText(issue.url) ?? asText(issue.html_url) ?? `${name}#${String(issue.number ?? issue.title)}`;
  return [{ title: issue.title, body: asText(issue.body) ?? '', source: { kind: 'issue', ref } }];
}

function member(front: string, key: string): string | undefined {
  const value = new RegExp(`^${key}:[ \\t]*(.+)$`, 'm').exec(front)?.[1]?.trim();
  return value?.replace(/^(["'])(.*)\1$/, '$2');
}
