const CONTEXT = 2;

/** The lines that differ, with two around them; empty where nothing does. Edits here are one stretch of lines. */
export function lineDiff(before: string, after: string): string {
  if (before === after) return '';
  const [old, fresh] = [lines(before), lines(after)];
  let head = 0;
  while (head < Math.min(old.length, fresh.length) && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (
    tail < Math.min(old.length, fresh.length) - head &&
    old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]
  ) {
    tail += 1;
  }
  return [
    ...old.slice(Math.max(0, head - CONTEXT), head).map((line) => `  ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...fresh.slice(head, fresh.length - tail).map((line) => `+ ${line}`),
    ...old.slice(old.length - tail, old.length - tail + CONTEXT).map((line) => `  ${line}`),
  ].join('\n');
}

function lines(text: string): string[] {
  const split = text.split(/\r?\n/);
  if (split.at(-1) === '') split.pop();
  return split;
}
