const SHORT: Readonly<Record<string, string>> = {
  t: 'test',
  tst: 'test',
  i: 'install',
  ci: 'install',
  add: 'install',
};

/** The script of package.json that a package manager's word stands for. */
export function scriptName(word: string): string {
  return Object.hasOwn(SHORT, word) ? (SHORT[word] as string) : word;
}
