/** Markdown sections, read line by line: a heading owns the lines up to the next one of its level or higher. */

export interface SectionVerdict {
  readonly missing: readonly string[];
  readonly hollow: readonly string[];
}

export function checkSections(
  text: string,
  headings: readonly string[],
  isFiller: (line: string) => boolean = isScaffold,
): SectionVerdict {
  const missing: string[] = [];
  const hollow: string[] = [];
  for (const heading of headings) {
    const lines = sectionLines(text, heading);
    if (lines === undefined) missing.push(heading);
    else if (!lines.some((line) => line.trim() !== '' && !isFiller(line.trim()))) hollow.push(heading);
  }
  return { missing, hollow };
}

/** Filler from the template: a remark in parentheses, or a checkbox that is empty or contains one. */
function isScaffold(line: string): boolean {
  const label = line.replace(/^[-*]\s+\[[ xX]\]\s*/, '');
  return label === '' || /^\(.*\)$/.test(label);
}

function sectionLines(text: string, heading: string): string[] | undefined {
  const lines = text.split(/\r?\n/);
  const wanted = fold(heading);
  const start = lines.findIndex((line) => fold(line) === wanted);
  if (start < 0) return undefined;
  const level = /^#+/.exec(wanted)?.[0].length ?? 1;
  const body: string[] = [];
  for (const line of lines.slice(start + 1)) {
    const hashes = /^(#+)\s/.exec(line)?.[1]?.length;
    if (hashes !== undefined && hashes <= level) break;
    if (hashes === undefined) body.push(line);
  }
  return body;
}

function fold(line: string): string {
  return line.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
