export const SENSITIVITIES = ['public', 'standard', 'sensitive', 'restricted'] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];

export function isSensitivity(text: unknown): text is Sensitivity {
  return SENSITIVITIES.includes(text as Sensitivity);
}

export function strictest(levels: readonly Sensitivity[]): Sensitivity {
  const ranks = levels.map((level) => SENSITIVITIES.indexOf(level));
  return SENSITIVITIES[Math.max(0, ...ranks)] ?? 'restricted';
}

export const MEMORY_TYPES = ['episodic', 'semantic', 'procedural'] as const;
export type MemoryType = (typeof MEMORY_TYPES)[number];

/** Which array of a profile holds a memory is its type; the memory itself has no field for it. */
export const arrayKeyOf = (type: MemoryType): `a2p:${MemoryType}` => `a2p:${type}`;

export function isMemoryType(text: unknown): text is MemoryType {
  return MEMORY_TYPES.includes(text as MemoryType);
}

/** As a category, `a2p:episodic` is the legacy word for "uncategorised, of this type". */
export function typeOfArrayKey(key: string): MemoryType | undefined {
  const name = key.startsWith('a2p:') ? key.slice(4) : '';
  return isMemoryType(name) ? name : undefined;
}

export interface Category {
  readonly text: string;
  readonly namespace: 'a2p' | 'ext';
  /** Of `ext:` only. */
  readonly vendor: string | undefined;
  /** `a2p:health`, `ext:spotify:music`, or `ext:spotify` where the vendor names no category of its own. */
  readonly top: string;
}

const WORD = '[A-Za-z0-9_]+';
const A2P = new RegExp(`^a2p:${WORD}(?:\\.${WORD})*$`);
const EXT = new RegExp(`^ext:(${WORD})(?::${WORD})?(?:\\.${WORD})*$`);

const BY_CATEGORY: Readonly<Record<string, Sensitivity>> = {
  'a2p:preferences': 'standard',
  'a2p:interests': 'standard',
  'a2p:professional': 'standard',
  'a2p:context': 'standard',
  'a2p:identity': 'standard',
  'a2p:health': 'restricted',
  'a2p:financial': 'restricted',
  'a2p:relationships': 'sensitive',
  'a2p:episodic': 'standard',
  'a2p:semantic': 'standard',
  'a2p:procedural': 'standard',
};

/** A person may raise these, never lower them. */
const GUARDED = new Set(['a2p:health', 'a2p:financial', 'a2p:relationships']);

export const STANDARD_CATEGORIES = Object.keys(BY_CATEGORY);

export function parseCategory(text: string): Category | undefined {
  if (text.length > 200) return undefined;
  const top = text.split('.')[0] as string;
  if (A2P.test(text)) return { text, namespace: 'a2p', vendor: undefined, top };
  const vendor = EXT.exec(text)?.[1];
  return vendor === undefined ? undefined : { text, namespace: 'ext', vendor, top };
}

/** Without the types it may begin with: `a2p:semantic.health` is health, `a2p:semantic` is no category. */
export function withoutType(text: string): string | undefined {
  let rest = text;
  for (;;) {
    const head = rest.split('.')[0] as string;
    if (typeOfArrayKey(head) === undefined) return rest;
    if (rest.length === head.length) return undefined;
    rest = `a2p:${rest.slice(head.length + 1)}`;
  }
}

export interface SensitivityRules {
  /** By category; the longest match wins. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** For categories in no table. */
  readonly fallback?: string;
  /** What third parties registered for their `ext:` categories. */
  readonly registered?: Readonly<Record<string, Sensitivity>>;
}

/** Without a readable category it is `standard`: that opens nothing a policy does not allow. */
export function defaultSensitivity(text: string | undefined, rules: SensitivityRules = {}): Sensitivity {
  const bare = text === undefined ? undefined : withoutType(text);
  const category = bare === undefined ? undefined : parseCategory(bare);
  const fallback = isSensitivity(rules.fallback) ? rules.fallback : 'standard';
  if (!category) return fallback;
  // Another spelling of `a2p:health` must not be a way around it.
  const top = category.top.toLowerCase();
  const table = BY_CATEGORY[top] ?? longest(rules.registered, category.text) ?? fallback;
  const override = longest(rules.overrides, category.text);
  if (!isSensitivity(override)) return table;
  return GUARDED.has(top) ? strictest([table, override]) : override;
}

export interface DeclaredSensitivity {
  readonly category: string | undefined;
  /** What the memory or proposal says of itself. */
  readonly sensitivity: Sensitivity | undefined;
  /** Whether its person put this one memory below its category. */
  readonly lowered?: boolean;
}

/** What counts for consent, review and automation: a category's level is a floor that only a person can go below. */
export function effectiveSensitivity(
  { category, sensitivity, lowered = false }: DeclaredSensitivity,
  rules: SensitivityRules,
): Sensitivity {
  const floor = defaultSensitivity(category, rules);
  if (sensitivity === undefined) return floor;
  return lowered ? sensitivity : strictest([sensitivity, floor]);
}

/** Whether `level` is less strict than what the category asks for. */
export function isBelowCategory(
  level: Sensitivity,
  category: string | undefined,
  rules: SensitivityRules,
): boolean {
  return strictest([level, defaultSensitivity(category, rules)]) !== level;
}

/** Known to the protocol, or registered by its vendor. */
export function isRegistered(category: Category, registered: SensitivityRules['registered'] = {}): boolean {
  if (category.namespace === 'a2p') return Object.hasOwn(BY_CATEGORY, category.top);
  return longest(registered, category.text) !== undefined;
}

export function impliedType(category: string | undefined) {
  return category === undefined ? undefined : typeOfArrayKey(category.split('.')[0] as string);
}

function longest<T>(table: Readonly<Record<string, T>> | undefined, text: string): T | undefined {
  if (!table) return undefined;
  for (let at = text.length; at > 0; at = text.lastIndexOf('.', at - 1)) {
    const key = text.slice(0, at);
    if (Object.hasOwn(table, key)) return table[key];
  }
  return undefined;
}
