export interface DiffLine {
  readonly op: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** So many lines that differ are compared one by one; of more, the whole is removed and added. */
const MOST_COMPARED = 400;
const CONTEXT = 2;
const MOST_LINE = 500;

export interface LineDiff {
  readonly lines: readonly DiffLine[];
  /** Not all of it is here. */
  readonly cut: boolean;
}

/** What changed from one text to another, line by line, with a little of what stands around it. */
export function lineDiff(before: string, after: string, most: number): LineDiff {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const lines = [
    ...a.slice(Math.max(0, head - CONTEXT), head).map(as('same')),
    ...changesIn(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail, a.length - tail + CONTEXT).map(as('same')),
  ];
  return { lines: lines.slice(0, most), cut: lines.length > most };
}

function as(op: DiffLine['op']) {
  return (text: string): DiffLine => ({
    op,
    text: text.length > MOST_LINE ? `${text.slice(0, MOST_LINE)}…` : text,
  });
}

/** By the longest common subsequence of the lines. */
function changesIn(a: readonly string[], b: readonly string[]): DiffLine[] {
  if (a.length > MOST_COMPARED || b.length > MOST_COMPARED)
    return [...a.map(as('removed')), ...b.map(as('added'))];
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        a[i] === b[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      lines.push(as('same')(left));
      i += 1;
      j += 1;
    } else if (
      right === undefined ||
      (left !== undefined && (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    ) {
      lines.push(as('removed')(left ?? ''));
      i += 1;
    } else {
      lines.push(as('added')(right));
      j += 1;
    }
  }
  return lines;
}
