import { relative } from 'node:path';
import pc from 'picocolors';
import { named } from '../../../kernel/quoted.ts';
import { visible } from '../../../kernel/visible-text.ts';
import type { Checked } from './check-connection.ts';
import type { Connected } from './connect-client.ts';
import type { Editor } from './editors.ts';
import { type FileEdit, lineDiff } from './file-edits.ts';

export function shownPath(path: string): string {
  const near = relative(process.cwd(), path);
  return visible(near === '' || near.startsWith('..') ? path : near);
}

/** The files of a connection, one line each. */
export function fileLines({ edits, written }: Connected): string[] {
  const paths = [...new Set(edits.map(({ touched }) => touched.path))];
  return paths.map((path) => {
    const kinds = edits
      .filter(({ touched }) => touched.path === path)
      .map(({ touched }) => WORDS[touched.kind]);
    const state = written.includes(path) ? 'written' : 'unchanged';
    return `  ${shownPath(path)}  ${pc.dim(`${[...new Set(kinds)].join(', ')}: ${state}`)}`;
  });
}

const WORDS = {
  entry: 'tools',
  hooks: 'hooks',
  plugin: 'hooks',
  approval: 'tools allowed',
  trust: 'hooks trusted',
  instructions: 'instructions',
  exclude: 'kept out of git',
  made: 'new',
} as const;

export function connectedText(editor: Editor, connected: Connected, checked: Checked | undefined): string {
  const { actorId, project, keyId } = connected.record;
  const as = keyId === '' ? '' : ` as agent ${pc.bold(named(actorId))}, key ${keyId}`;
  return [
    `${pc.green('✔')} ${editor.title} is connected to project ${pc.bold(named(project))}${as}.`,
    ...fileLines(connected),
    ...connected.notes.map((note) => `${pc.yellow('!')} ${note}`),
    ...(checked
      ? [`${pc.green('✔')} Checked as ${editor.title} would start it: ${checkedWords(checked)}.`]
      : []),
    '',
    'Next:',
    `  1. ${editor.start}`,
    '  2. Ask it: "Orient yourself with Baton, then go on where the last session stopped."',
    `  3. See what it leaves with \`baton orient\`; end the connection with \`baton disconnect ${editor.name}\`.`,
  ].join('\n');
}

function checkedWords({ tools, briefing }: Checked): string {
  return `${tools} tools, and orient answered ${briefing.length} characters`;
}

export function diffText(edits: readonly FileEdit[]): string {
  return edits
    .map(({ touched, before, after }) => {
      const diff = visible(lineDiff(before ?? '', after ?? ''));
      return `${pc.bold(shownPath(touched.path))}\n${diff || pc.dim('  stays as it is')}\n`;
    })
    .join('');
}
