/** What make runs, as far as its file tells: the recipes of the goals and of what they need. */
import type { Script } from './paths.ts';
import { REMOVED } from './private-words.ts';

export const MAKEFILES: readonly string[] = ['GNUmakefile', 'makefile', 'Makefile'];
/** The name of the file that make finds by itself among the scripts that a call names. */
export const FOUND_BY_MAKE = 'make:';
const BUILT_IN: Readonly<Record<string, string>> = {
  MAKE: 'make',
  RM: 'rm -f',
  CC: 'cc',
  CXX: 'c++',
  AR: 'ar',
};
const MOST_EXPANSIONS = 1_000;
const ASSIGNS = /^\s*(?:(?:export|override)\s+)*([\w.-]+)\s*(?::{0,3}|[?+!])=\s*(.*)$/;

interface Rule {
  readonly targets: readonly string[];
  readonly needs: readonly string[];
  readonly recipe: string[];
}

/** The files of `-f`, which make takes instead of its own. */
export function namedMakefiles(argv: readonly string[]): string[] {
  return argv.flatMap((word, at) => {
    if (/^(?:-f|--file|--makefile)$/.test(argv[at - 1] ?? '')) return [word];
    return /^(?:-f|--(?:file|makefile)=)(.+)$/.exec(word)?.[1] ?? [];
  });
}

/** Lines for a shell; one that nobody understands where what runs cannot be told. */
export function recipesRun(
  argv: readonly string[],
  scripts: Readonly<Record<string, Script>>,
): readonly string[] {
  const textOf = (name: string) => (Object.hasOwn(scripts, name) ? (scripts[name]?.text ?? '') : '');
  const files = namedMakefiles(argv);
  const own = (files.length > 0 ? files : [FOUND_BY_MAKE]).map(textOf).join('\n');
  const included = [...own.matchAll(/^[ ]*[-s]?include[ \t]+(.+)$/gm)].flatMap(([, names = '']) =>
    names.split(/\s+/),
  );
  const text = [own, ...included.map(textOf)].join('\n');
  if (text.trim() === '') return [];
  if (text.includes(REMOVED)) return [REMOVED];
  const { rules, variables } = read(text, argv);
  if (variables.has('SHELL') || variables.has('.RECIPEPREFIX')) return [REMOVED];
  const goals = argv.filter(
    (word, at) => !/^-|=/.test(word) && !/^(?:-[fCjloWI]|--[a-z-]+)$/.test(argv[at - 1] ?? ''),
  );
  const lines = needed(rules, goals).flatMap(({ recipe }) => recipe);
  const computed = [...text.matchAll(/\$\(shell\s+([^)]*)\)/g)].map(([, line = '']) => line);
  return [...lines, ...computed].map((line) => expanded(line, variables).replace(/^[\s@+-]+/, ''));
}

function read(text: string, argv: readonly string[]) {
  const rules: Rule[] = [];
  const variables = new Map(Object.entries(BUILT_IN));
  for (const line of text.replaceAll(/\\\r?\n[ \t]*/g, ' ').split(/\r?\n/)) {
    if (line.startsWith('\t')) {
      rules.at(-1)?.recipe.push(line.slice(1));
      continue;
    }
    const [, name, value = ''] = ASSIGNS.exec(line) ?? [];
    if (name !== undefined) {
      variables.set(name, line.includes('+=') ? `${variables.get(name) ?? ''} ${value}` : value);
      continue;
    }
    const [, targets, needs = '', recipe] = /^([^\s#:][^:=#]*)::?([^;=]*)(?:;(.*))?$/.exec(line) ?? [];
    if (targets === undefined) continue;
    const words = (given: string) =>
      expanded(given, variables)
        .split(/[\s|]+/)
        .filter((word) => word !== '');
    rules.push({
      targets: words(targets),
      needs: words(needs),
      recipe: recipe === undefined ? [] : [recipe],
    });
  }
  for (const word of argv) {
    const [, name, value] = /^([\w.-]+):?=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined) variables.set(name, value);
  }
  return { rules, variables };
}

/** A rule with a pattern, or with a name that is computed, may be needed by any. */
function needed(rules: readonly Rule[], goals: readonly string[]): Rule[] {
  const first = rules.find(({ targets }) => !targets[0]?.startsWith('.'))?.targets[0];
  const known = goals.some((goal) => rules.some(({ targets }) => targets.includes(goal)));
  const wanted = new Set(known || first === undefined ? goals : [...goals, first]);
  const found = new Set<Rule>();
  for (const goal of wanted) {
    for (const rule of rules) {
      if (found.has(rule) || !rule.targets.some((target) => target === goal || /[%$]/.test(target))) continue;
      found.add(rule);
      for (const need of rule.needs) wanted.add(need);
    }
  }
  return [...found];
}

/** What is not known here, such as a variable of the environment, stays a variable; a function's value is one too. */
function expanded(
  line: string,
  variables: ReadonlyMap<string, string>,
  budget = { left: MOST_EXPANSIONS },
): string {
  return line.replaceAll(
    /\$\$|\$\(([^()]*)\)|\$\{([^{}]*)\}|\$([@<^+*?%\w])/g,
    (sign, round: string | undefined, curly: string | undefined, letter: string | undefined) => {
      if (sign === '$$') return '$';
      const name = round ?? curly ?? letter ?? '';
      const value = variables.get(name) ?? /^shell\s+(.*)$/s.exec(name)?.[1];
      if (value === undefined || budget.left <= 0) return '$X';
      budget.left -= 1;
      const inner = expanded(value, variables, budget);
      return variables.has(name) ? inner : `$(${inner})`;
    },
  );
}
