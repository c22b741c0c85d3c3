/** What a role's scopes come to, in words. */
export function scopeWords(scopes: readonly string[]): string {
  const has = (scope: string) => scopes.includes('*') || scopes.includes(scope);
  const words = ['look at everything in them'];
  if (has('packages:write')) words.push('add packages and facts');
  if (has('inbox:decide')) words.push('decide what agents ask');
  if (has('projects:write')) words.push('change projects');
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${words.join(', ')} and ${last}`;
}
