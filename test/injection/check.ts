/** What holds of every text that an agent or a terminal reads. Written apart from the renderer, and knows none of it. */
import { hiddenIn } from '../../src/kernel/testing.ts';
import type { Injection } from './corpus.ts';

/** Why a document for a prompt is not what it should be; empty where it is. */
export function faultsInDocument(document: string, injections: readonly Injection[]): string[] {
  const faults = hiddenFaults(document);
  for (const [at, line] of document.split('\n').entries()) {
    if (line.startsWith('> ')) continue;
    for (const { mark, name } of injections) {
      if (line.includes(mark) && !standsInQuotes(line, mark)) {
        faults.push(`${name}: line ${at + 1} is not quoted: ${line.slice(0, 120)}`);
      }
    }
  }
  return faults;
}

/** On a terminal a text may stand bare in its cell; but a line never begins with it. */
export function faultsOnTerminal(output: string, injections: readonly Injection[]): string[] {
  const faults = hiddenFaults(output);
  const begun = injections.flatMap(({ name, text, mark }) =>
    text
      .split(/[\n\r\u2028\u2029\u0085\v\f]+/)
      .map((line) => line.trim())
      .filter((line) => line.includes(mark))
      .map((line) => ({ name, begin: line.slice(0, line.indexOf(mark) + mark.length) })),
  );
  for (const line of output.split('\n')) {
    const found = begun.find(({ begin }) => line.trimStart().startsWith(begin));
    if (found) faults.push(`${found.name}: begins a line: ${line.slice(0, 120)}`);
  }
  return faults;
}

/** JSON for agents and scripts: one value on one line, and nothing hidden in its text. */
export function faultsInJson(text: string): string[] {
  JSON.parse(text);
  const lines = text.trimEnd().split('\n').length;
  return [...hiddenFaults(text), ...(lines === 1 ? [] : [`JSON on ${lines} lines`])];
}

function hiddenFaults(text: string): string[] {
  const joined = /[\x20-\x7e](?:\u200c|\u200d|\ufe0e|\ufe0f)/u.exec(text);
  const closers = /<[/!?|]/.exec(text);
  return [
    ...[...new Set(hiddenIn(text))].map((point) => `hidden: ${point}`),
    ...(joined ? [`hidden after ${joined[0]}`] : []),
    ...(closers ? [`a marker can end: ${closers[0]}`] : []),
  ];
}

/** Whether every mention on the line is inside a JSON string. */
function standsInQuotes(line: string, mark: string): boolean {
  let inside = false;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '"') inside = !inside;
    else if (inside && line[at] === '\\') at += 1;
    else if (!inside && line.startsWith(mark, at)) return false;
  }
  return !inside;
}

/** A document without what is quoted in it: its own skeleton, which no author can change. */
export function skeleton(document: string): string {
  return document
    .split('\n')
    .filter((line) => !line.startsWith('> ') && !line.startsWith('[cut: '))
    .map((line) => line.replace(/"(?:[^"\\]|\\.)*"…?/g, '""'))
    .join('\n');
}
