const AFFIRMATIVE = ['YES', 'SHIP', 'SHIP IT'];

export function shipVerdictFault(text: string, path: string): string | undefined {
  const said = /^##[ \t]*verdict[ \t]*:[ \t]*(.*?)[ \t]*$/im.exec(text)?.[1];
  if (said === undefined) return `Ship verdict must declare "## Verdict: YES" in ${path}.`;
  if (AFFIRMATIVE.includes(said.toUpperCase().replaceAll(/\s+/g, ' '))) return undefined;
  return `Ship verdict is not affirmative. Found "## Verdict: ${said}" in ${path}; use "## Verdict: YES".`;
}
