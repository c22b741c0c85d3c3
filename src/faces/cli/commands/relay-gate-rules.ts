import { z } from 'zod';

/** `.baton/verbs.json` of a repository: what may be said to agents from within it. */
export const verbsFileSchema = z.strictObject({
  verbs: z.record(
    z.string(),
    z.strictObject({
      description: z.string(),
      /** Arguments that must be exactly these, by name: `{"to": "writer"}`. */
      fixed: z.record(z.string(), z.string()).optional(),
      /** What the agent does changes the repository: refused while it has changes of its own. */
      mutates: z.boolean().optional(),
      /** A sentence that must be typed verbatim. */
      acknowledge: z.string().min(1).optional(),
    }),
  ),
});
export type VerbsFile = z.infer<typeof verbsFileSchema>;

export interface VerbRequest {
  readonly verb: string;
  /** Names, ids and the like, by the name of the argument. What is said to an agent is not among them. */
  readonly given: Readonly<Record<string, string>>;
  readonly acknowledged: string | undefined;
}

/** Undefined if there is no repository. */
export type Tree = { readonly dirty: boolean } | undefined;

export interface GateDecision {
  readonly decision: 'allow' | 'deny';
  readonly rule: 'listed' | 'allowlist' | 'argument' | 'fixed' | 'dirty-tree' | 'acknowledgment';
  readonly reason: string;
}

const SHELL_SIGNS = /[;&|`$<>\\(){}*?!"'\n\r]/;

export function decideVerb(
  { verbs }: VerbsFile,
  { verb, given, acknowledged }: VerbRequest,
  tree: Tree,
): GateDecision {
  const deny = (rule: GateDecision['rule'], reason: string): GateDecision => ({
    decision: 'deny',
    rule,
    reason,
  });
  const entry = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!entry) return deny('allowlist', `This repository does not list the verb ${verb}.`);
  const odd = Object.entries(given).find(([, value]) => SHELL_SIGNS.test(value));
  if (odd) return deny('argument', `${odd[0]} contains shell characters.`);
  const other = Object.entries(entry.fixed ?? {}).find(([name, value]) => given[name] !== value);
  if (other) return deny('fixed', `${other[0]} must be ${other[1]}.`);
  if (entry.mutates && !tree)
    return deny('dirty-tree', 'The verb changes a repository, but this is not one.');
  if (entry.mutates && tree?.dirty) return deny('dirty-tree', 'The repository has uncommitted changes.');
  if (entry.acknowledge !== undefined && acknowledged !== entry.acknowledge)
    return deny('acknowledgment', `Type it with --acknowledge: ${entry.acknowledge}`);
  return { decision: 'allow', rule: 'listed', reason: entry.description };
}
