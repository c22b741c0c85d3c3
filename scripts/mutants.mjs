/** One change at a time to a source text, each of the kind that a slip of the hand makes. */
const SWAPS = [
  [' === ', ' !== '],
  [' !== ', ' === '],
  [' && ', ' || '],
  [' || ', ' && '],
  [' < ', ' <= '],
  [' > ', ' >= '],
  ['.some(', '.every('],
  ['.every(', '.some('],
  ['Math.max(', 'Math.min('],
];
const EARLY_RETURN = /^\s*(else )?if \(.*\) (return|continue)\b.*;$/;

export function mutantsOf(text) {
  const lines = text.split('\n');
  return lines.flatMap((line, at) =>
    isCode(line)
      ? changesTo(line).map(([kind, changed]) => ({
          kind,
          line: at + 1,
          text: lines.toSpliced(at, 1, changed).join('\n'),
        }))
      : [],
  );
}

function isCode(line) {
  return !/^\s*(\*|\/\/|\/\*|import |export (type|interface) |readonly )/.test(line);
}

function changesTo(line) {
  const changes = SWAPS.flatMap(([from, to]) =>
    placesOf(line, from).map((at) => [
      `${from.trim()} → ${to.trim()}`,
      line.slice(0, at) + to + line.slice(at + from.length),
    ]),
  );
  const condition = /\bif \(/.exec(line);
  const end = condition && closing(line, condition.index + 3);
  if (end) {
    const start = condition.index + 4;
    const negated = `${line.slice(0, start)}!(${line.slice(start, end)})${line.slice(end)}`;
    changes.push(['condition negated', negated]);
  }
  if (EARLY_RETURN.test(line)) changes.push(['early return dropped', '']);
  return changes;
}

function placesOf(line, part) {
  const places = [];
  for (let at = line.indexOf(part); at >= 0; at = line.indexOf(part, at + 1)) places.push(at);
  return places;
}

/** Where the parenthesis that opens at `start` closes; undefined when that is on another line. */
function closing(line, start) {
  let depth = 0;
  for (let at = start; at < line.length; at += 1) {
    if (line[at] === '(') depth += 1;
    if (line[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}
