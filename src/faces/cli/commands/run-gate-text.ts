import pc from 'picocolors';
import { inline, quoted } from '../../../kernel/quoted.ts';
import type { GateView } from '../../../slices/delivery/commands.ts';
import { shown } from '../output.ts';
import { gateText } from './run-text.ts';

/** Characters of one quotation: what is to be approved is not cut here again. */
const MOST = 500_000;

/** A gate as a person reads it before deciding: whether it opens, its documents, and the changes. */
export function gateViewText(view: GateView | null): string {
  if (view === null) return gateText(view);
  const { documents, changes } = view;
  const range = changes.from === null ? '' : ` since ${changes.from.slice(0, 12)}`;
  return [
    gateText(shown(view)),
    ...documents.flatMap(({ path, text, truncated }) => [
      '',
      pc.bold(inline(path)),
      text === null ? pc.yellow('not there') : quoted(text.trimEnd(), MOST),
      ...(truncated ? [pc.dim('It is longer: read the file.')] : []),
    ]),
    '',
    pc.bold(`${changes.files.length} changed file(s)${range}`),
    ...changes.files.map(({ path, added, deleted }) => `  ${counts(added, deleted)}  ${inline(path)}`),
    ...(changes.patch === ''
      ? []
      : ['', quoted(changes.patch.trimEnd(), MOST).split('\n').map(coloured).join('\n')]),
    ...(changes.truncated ? [pc.dim(`The diff is longer: git diff ${changes.from ?? ''}`)] : []),
  ].join('\n');
}

function counts(added: number | null, deleted: number | null): string {
  if (added === null || deleted === null) return pc.dim('no lines');
  return `${pc.green(`+${added}`)} ${pc.red(`-${deleted}`)}`;
}

function coloured(line: string): string {
  if (/^> (\+\+\+|---|diff |index )/.test(line)) return pc.bold(line);
  if (line.startsWith('> +')) return pc.green(line);
  if (line.startsWith('> -')) return pc.red(line);
  return line.startsWith('> @@') ? pc.cyan(line) : line;
}
