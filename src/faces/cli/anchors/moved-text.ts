import { byline, cited, inline, named } from '../../../kernel/quoted.ts';
import type { CheckedAnchor } from './check-anchors.ts';

const MOST_SHOWN = 10;

/** What is said of files that are no longer what they were, for a prompt; undefined if all still holds. */
export function movedText(checked: readonly CheckedAnchor[]): string | undefined {
  const things = new Map<string, CheckedAnchor[]>();
  for (const anchor of checked) {
    if (anchor.state !== 'changed' && anchor.state !== 'gone') continue;
    const key = `${anchor.kind} ${anchor.id}`;
    things.set(key, [...(things.get(key) ?? []), anchor]);
  }
  if (things.size === 0) return undefined;
  const lines = [...things.values()].slice(0, MOST_SHOWN).map(entry);
  if (things.size > MOST_SHOWN) {
    lines.push(`(${things.size - MOST_SHOWN} more; see \`baton anchors check\`)`);
  }
  const count =
    things.size === 1
      ? '1 thing you are about to rely on describes'
      : `${things.size} things you are about to rely on describe`;
  return `## Look again\n\n${count} files that changed since. Read the files before you trust it.\n${lines.join('\n')}`;
}

function entry(anchors: readonly CheckedAnchor[]): string {
  const [{ kind, id, about, by, at }] = anchors as [CheckedAnchor];
  const author = by ? ` by ${byline(by)}` : '';
  const files = anchors.map(({ path, state }) =>
    state === 'gone' ? `${cited(path)} is gone` : `${cited(path)} changed`,
  );
  return `- ${kind} ${cited(about)}${author}, ${inline(at)}, ${named(id)}: ${files.join(', ')}`;
}

/** Before the first section of a briefing: no line of others begins like one. */
export function withNotice(briefing: string, notice: string | undefined): string {
  if (notice === undefined) return briefing;
  const at = briefing.search(/^## /m);
  return at < 0 ? `${briefing}\n${notice}\n` : `${briefing.slice(0, at)}${notice}\n\n${briefing.slice(at)}`;
}
