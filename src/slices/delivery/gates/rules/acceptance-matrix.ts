const PASSING = ['PASS', 'PASSED', 'OK', 'YES'];

export function acceptanceMatrixFault(text: string, path: string): string | undefined {
  const rows = tableRows(text);
  if (rows === undefined) return `${path} must contain a table whose header starts with "| Req # |".`;
  const real = rows.filter((cells) => !isScaffoldRow(cells));
  if (real.length === 0) {
    return 'Acceptance matrix has no real requirement verdict rows. Replace the scaffold placeholder with QA-owned requirement results before requesting ship approval.';
  }
  const open = real.filter((cells) => !PASSING.includes((cells.at(-1) ?? '').toUpperCase()));
  if (open.length === 0) return undefined;
  const names = open.map((cells) => `${cells[0]} (${cells.at(-1) || 'no verdict'})`).join(', ');
  return `Acceptance matrix has requirements that do not pass in ${path}: ${names}.`;
}

/** The cells below the header, or undefined where there is no such table. */
function tableRows(text: string): string[][] | undefined {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const header = lines.findIndex((line) => /^\|\s*req\s*#\s*\|/i.test(line));
  if (header < 0) return undefined;
  const rows: string[][] = [];
  for (const line of lines.slice(header + 1)) {
    if (!line.startsWith('|')) break;
    const cells = line
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim());
    if (!cells.every((cell) => /^:?-+:?$/.test(cell))) rows.push(cells);
  }
  return rows;
}

function isScaffoldRow(cells: readonly string[]): boolean {
  return /^\(.*\)$/.test(cells[0] ?? '') || cells.every((cell) => cell === '' || cell === '-');
}
