export function pmSignoffFault(text: string, path: string): string | undefined {
  const said = [...text.matchAll(/^[ \t]*approved[ \t]*:[ \t]*(.*?)[ \t]*$/gim)].map(
    (match) => match[1] ?? '',
  );
  if (said.some((value) => value.toUpperCase() === 'YES')) return undefined;
  const [first] = said;
  return first === undefined
    ? `PM signoff must declare \`Approved: YES\` in ${path}.`
    : `PM signoff is not approved. Found "Approved: ${first}" in ${path}; set it to "Approved: YES".`;
}
