import type { Hasher } from '../../../../kernel/hasher.ts';
import { asText, type LooseRecord } from '../../../../kernel/json/loose.ts';
import { type Converted, nothingConverted, titleFrom, utc } from './converted.ts';

/** Markdown notes: one package each. The id depends on the text, so that a changed note is a new package. */
export function convertMarkdown(hasher: Hasher, rows: readonly LooseRecord[], projectId: string): Converted {
  const converted = nothingConverted();
  for (const row of rows) {
    const path = asText(row.path);
    const content = asText(row.text);
    if (!path || !content?.trim()) {
      converted.skipped += 1;
      continue;
    }
    const { front, body } = splitFrontMatter(content);
    const heading = /^#\s+(.+)$/m.exec(body)?.[1];
    const named = front && /^title:\s*["']?(.+?)["']?\s*$/m.exec(front)?.[1];
    const name = path
      .split('/')
      .at(-1)
      ?.replace(/\.(md|markdown)$/i, '');
    converted.packages.push({
      package_id: `pkg_${hasher.hex(JSON.stringify(['markdown', projectId, path, content])).slice(0, 32)}`,
      project_id: projectId,
      relay_version: '0.1',
      title: titleFrom(named, heading, name),
      status: 'complete',
      package_type: 'standard',
      review_type: 'none',
      created_at: utc(row.modified_at),
      created_by: { id: 'markdown', type: 'script', session_id: null },
      content_md: body.trim(),
      deliverables: [{ path, type: 'md', hash: `sha256:${hasher.hex(content)}` }],
      ...(front && { 'x-front-matter': front }),
    });
  }
  return converted;
}

function splitFrontMatter(content: string): { front: string | undefined; body: string } {
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/.exec(content);
  return match
    ? { front: match[1], body: content.slice(match[0].length) }
    : { front: undefined, body: content };
}
