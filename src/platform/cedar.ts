/** Cedar, where somebody has installed it beside us: a package of its own that most do without. */
import { createRequire } from 'node:module';

export const CEDAR_PACKAGE = '@cedar-policy/cedar-wasm';

interface Failure {
  readonly type: 'failure';
  readonly errors: readonly { readonly message: string }[];
}

interface Entity {
  readonly type: string;
  readonly id: string;
}

/** The part of it that rules need. */
export interface Cedar {
  preparsePolicySet(
    name: string,
    policies: { readonly staticPolicies: string },
  ): { readonly type: 'success' } | Failure;
  policySetTextToParts(text: string):
    | {
        readonly type: 'success';
        readonly policies: readonly string[];
        readonly policy_templates: readonly string[];
      }
    | Failure;
  policyToJson(
    policy: string,
  ): { readonly type: 'success'; readonly json: { readonly effect: 'permit' | 'forbid' } } | Failure;
  statefulIsAuthorized(call: CedarCall & { readonly preparsedPolicySetId: string }):
    | {
        readonly type: 'success';
        readonly response: {
          readonly decision: 'allow' | 'deny';
          readonly diagnostics: { readonly reason: readonly string[]; readonly errors: readonly unknown[] };
        };
      }
    | Failure;
}

export interface CedarCall {
  readonly principal: Entity;
  readonly action: Entity;
  readonly resource: Entity;
  readonly context: Readonly<Record<string, unknown>>;
  readonly entities: readonly {
    readonly uid: Entity;
    readonly attrs: object;
    readonly parents: readonly Entity[];
  }[];
}

let found: Cedar | null | undefined;

/** Undefined where it is not installed. Loaded at the first call, since it takes a tenth of a second. */
export function loadCedar(): Cedar | undefined {
  if (found === undefined) {
    try {
      found = createRequire(import.meta.url)(`${CEDAR_PACKAGE}/nodejs`) as Cedar;
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error;
      found = null;
    }
  }
  return found ?? undefined;
}
