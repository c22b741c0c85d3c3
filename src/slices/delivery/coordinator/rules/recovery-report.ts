/** A coordinator that stopped after the fact goes on only once someone has written down what happened. */
export const RECOVERY_SECTIONS: readonly string[] = ['## Trigger', '## Impact', '## Mitigation'];

export function recoveryReportScaffold(detail: string): string {
  const blanks = RECOVERY_SECTIONS.map((heading) => `${heading}\n\n(Operator fills this before resuming)\n`);
  return `# Recovery Report\n\nStopped because: ${detail.replaceAll(/\s+/g, ' ')}\n\n${blanks.join('\n')}`;
}
