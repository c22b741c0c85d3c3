import pc from 'picocolors';

/** What was done, in one line, and below it what a reader may need next. */
export function doneText(what: string, notes: readonly string[]): string {
  return `${pc.green('✔')} ${what}\n  ${pc.dim(notes.join(', '))}`;
}
