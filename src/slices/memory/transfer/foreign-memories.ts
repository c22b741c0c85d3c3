import { memoryErrors } from '../errors.ts';
import { CONTENT_LIMIT, sanitizeText } from '../memory-text.ts';

/** What other systems' memories become here: proposals that the person reviews. */
export interface ForeignMemory {
  readonly content: string;
  readonly category?: string;
  readonly context: string;
  readonly timestamp?: string;
  readonly tags?: readonly string[];
}

type Loose = Readonly<Record<string, unknown>>;

/** The list that mem0's `get_all` and its export answer, bare or under `results` or `memories`. */
export function readMem0(value: unknown): ForeignMemory[] {
  const list = Array.isArray(value) ? value : listIn(value);
  if (!list)
    throw memoryErrors.import_refused({
      message: 'This is no export of mem0: there is no list of memories.',
    });
  return list.flatMap((each): ForeignMemory[] => {
    const entry = (typeof each === 'object' && each !== null ? each : {}) as Loose;
    const said = entry.memory ?? entry.text ?? entry.data;
    if (typeof said !== 'string') return [];
    const created = entry.created_at;
    const { categories } = entry;
    const tags = Array.isArray(categories)
      ? categories
          .filter((each): each is string => typeof each === 'string' && each.length <= 60)
          .slice(0, 20)
      : [];
    return pieces(said).map((content) => ({
      content,
      context: 'Imported from mem0',
      ...(typeof created === 'string' && { timestamp: created }),
      ...(tags.length > 0 && { tags }),
    }));
  });
}

/** Each list entry or paragraph of a Markdown text; headings say where it stood. */
export function readMarkdown(text: string, name: string): ForeignMemory[] {
  const found: ForeignMemory[] = [];
  let heading = '';
  const withoutFront = text.replace(/^---\n[\s\S]*?\n---\n/, '').replace(/```[\s\S]*?```/g, '');
  for (const block of withoutFront.split(/\n(?=\s*(?:[-*+] |\d+[.)] |#))|\n\s*\n/)) {
    const title = /^\s*#{1,6}\s+(.+?)\s*#*\s*$/m.exec(block);
    if (title) heading = title[1] as string;
    const said = block
      .replace(/^\s*#{1,6}\s+.*$/gm, '')
      .replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/, '')
      .replace(/\s+/g, ' ');
    const context = `Imported from ${name}${heading === '' ? '' : `, under ${heading}`}`;
    found.push(...pieces(said).map((content) => ({ content, context })));
  }
  return found;
}

function listIn(value: unknown): unknown[] | undefined {
  const { results, memories } = (typeof value === 'object' && value !== null ? value : {}) as Loose;
  if (Array.isArray(results)) return results;
  return Array.isArray(memories) ? memories : undefined;
}

/** What is too long for one memory becomes several, cut between words. */
function pieces(text: string): string[] {
  const whole = sanitizeText(text);
  if (whole === '') return [];
  const parts: string[] = [];
  let rest = whole;
  while (rest.length > CONTENT_LIMIT) {
    const space = rest.lastIndexOf(' ', CONTENT_LIMIT);
    const cut = space > 0 ? space : CONTENT_LIMIT;
    parts.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  return rest === '' ? parts : [...parts, rest];
}
