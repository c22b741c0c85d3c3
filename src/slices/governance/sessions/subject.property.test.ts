/**
 * Generated Atlases, keys and sessions, and callers who say who they are: truly, falsely, as a subagent, or in a request
 * that differs from its session. A model that shares no code with the product says for each call what is decided, and
 * whose limit it is counted on.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { roles } from '../../../spine/identity/roles.ts';
import { testPrincipal } from '../../../spine/identity/testing.ts';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import type { Policy } from '../atlases/schema.ts';
import { actionOf, manifestOf } from '../testing/manifest.ts';
import { echo, type Key, openWorld, type World, worldMigrations } from '../testing/world.ts';

const prove = process.env.BATON_PROVE === '1';
const RUNS = { sqlite: prove ? 10_000 : 300, postgres: prove ? 500 : 10 };
const TIMEOUT = prove ? 3_600_000 : 600_000;

const ACTORS = ['a-1', 'a-2', 'b-1', 'hook', 'a-1/x'];
const NAMES = [...ACTORS, 'a-1/y', 'a-2/x', 'b-1/x/y', 'A-1', 'ghost'];
const PATTERNS = ['*', 'a-*', 'a-1', 'b-?', 'a-1/*', '*/x', '*/admin', 'hook'];

interface KeyPlan {
  readonly actor: string;
  readonly type: 'agent' | 'script';
  readonly speaksFor: readonly string[];
  readonly everything: boolean;
}

interface RulePlan {
  readonly type: 'allow' | 'deny' | 'rate_limit';
  readonly agents: readonly string[] | undefined;
  readonly max: number;
}

/** One call: with which key, in whose name, below which earlier session, and whom the request itself names. */
interface CallPlan {
  readonly key: number;
  /** The key's own actor if left out. */
  readonly name: string | undefined;
  readonly parent: number | undefined;
  readonly child: string | undefined;
  readonly requestName: string | undefined;
  /** Another key that makes the request in the session which the first one opened. */
  readonly requestKey: number | undefined;
}

interface Plan {
  readonly keys: readonly KeyPlan[];
  readonly rules: readonly RulePlan[];
  readonly calls: readonly CallPlan[];
}

const oneOf = (values: readonly string[]) => fc.constantFrom(...values);
/** Left out so many times as often as given. */
const seldom = <T>(value: fc.Arbitrary<T>, times: number) =>
  fc.oneof({ weight: times, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const plans: fc.Arbitrary<Plan> = fc.record({
  keys: fc.array(
    fc.record({
      actor: oneOf(ACTORS),
      type: fc.constantFrom('agent' as const, 'script' as const),
      speaksFor: fc.array(oneOf(PATTERNS), { maxLength: 2 }),
      everything: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  rules: fc.array(
    fc.record({
      type: fc.constantFrom(...(['allow', 'allow', 'rate_limit', 'rate_limit', 'deny'] as const)),
      agents: seldom(fc.array(oneOf(PATTERNS), { minLength: 1, maxLength: 2 }), 1),
      max: fc.integer({ min: 1, max: 2 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  calls: fc.array(
    fc.record({
      key: fc.nat(2),
      name: seldom(oneOf(NAMES), 2),
      parent: seldom(fc.nat(8), 2),
      child: fc.option(oneOf(['x', 'y', 'admin']), { nil: undefined, freq: 3 }),
      requestName: seldom(oneOf(NAMES), 6),
      requestKey: seldom(fc.nat(2), 6),
    }),
    { minLength: 3, maxLength: 9 },
  ),
});

/** Written anew, so that a fault of the product's own matching cannot hide in it. */
function matches(patterns: readonly string[], id: string): boolean {
  return patterns.some((pattern) => {
    const source = [...pattern].map((c) =>
      c === '*' ? '.*' : c === '?' ? '.' : `\\u{${c.codePointAt(0)?.toString(16)}}`,
    );
    return new RegExp(`^${source.join('')}$`, 'su').test(id);
  });
}

interface ModelSession {
  readonly opener: KeyPlan;
  readonly name: string;
  readonly bound: string;
}

type Outcome = 'refused' | 'success' | 'denied' | 'limited';

/** What should happen, told from the keys alone. */
class Model {
  readonly sessions: (ModelSession | undefined)[] = [];
  readonly #used = new Map<string, number>();
  readonly #rules: readonly RulePlan[];

  constructor(rules: readonly RulePlan[]) {
    this.#rules = rules;
  }

  #is(key: KeyPlan, id: string): boolean {
    return key.actor === id || matches(key.speaksFor, id);
  }

  #uses(key: KeyPlan, session: ModelSession): boolean {
    const own = key.actor === session.opener.actor && key.type === session.opener.type;
    return own || matches(key.speaksFor, session.opener.actor);
  }

  /** The session that opens, or undefined if the name is a lie. */
  open(key: KeyPlan, name: string, parent: ModelSession | undefined): ModelSession | undefined {
    const below =
      parent !== undefined &&
      this.#uses(key, parent) &&
      this.#is(key, parent.bound) &&
      name.startsWith(`${parent.name}/`) &&
      name.length > parent.name.length + 1;
    if (below) return { opener: key, name, bound: parent.bound };
    return this.#is(key, name) ? { opener: key, name, bound: name } : undefined;
  }

  call(key: KeyPlan, session: ModelSession, requestName: string): Outcome {
    if (!this.#uses(key, session) || requestName !== session.name || !this.#is(key, session.bound))
      return 'refused';
    const meant = ({ agents }: RulePlan) =>
      agents === undefined || matches(agents, session.bound) || matches(agents, session.name);
    if (this.#rules.some((rule) => rule.type === 'deny' && meant(rule))) return 'denied';
    const allowed = this.#rules.some(
      ({ type, agents }) => type === 'allow' && (agents === undefined || matches(agents, session.bound)),
    );
    if (!allowed) return 'denied';
    const limits = this.#rules.flatMap((rule, at) => (rule.type === 'rate_limit' && meant(rule) ? [at] : []));
    const counter = (at: number) => `${at} ${session.bound}`;
    if (limits.some((at) => (this.#used.get(counter(at)) ?? 0) >= (this.#rules[at] as RulePlan).max))
      return 'limited';
    for (const at of limits) this.#used.set(counter(at), (this.#used.get(counter(at)) ?? 0) + 1);
    return 'success';
  }
}

function policyOf(rule: RulePlan, at: number): Policy {
  return {
    policy_id: `rule-${at}`,
    type: rule.type,
    ...(rule.agents && { conditions: { agents: [...rule.agents] } }),
    ...(rule.type === 'rate_limit' && {
      parameters: { max_calls: rule.max, window_seconds: 86_400, scope: 'agent' },
    }),
  };
}

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  SESSION_NOT_OWNED: 'refused',
  ACTION_DENIED: 'denied',
  RATE_LIMIT_EXCEEDED: 'limited',
};

describeOnEachEngine('whoever callers say they are', (open) => {
  const runs = RUNS[open.engine];
  let made = 0;

  async function makeKey(world: World, plan: KeyPlan): Promise<Key> {
    const { token } = await world.db.write((uow) =>
      world.identity.createKey(uow, testPrincipal({ present: true }), {
        actor: { id: plan.actor, type: plan.type },
        scopes: plan.everything ? ['*'] : [...roles.agent],
        projects: ['default'],
        defaultProject: 'default',
        speaksFor: plan.speaksFor,
      }),
    );
    return token as Key;
  }

  async function ran(world: World, session_id: string, agent_id: string, as: Key): Promise<Outcome> {
    const requester = { requester: { agent_id, session_id } };
    const resolved = await world.resolve(session_id, requester, as);
    const { resolution_id, error } = resolved.body;
    if (error) return OUTCOMES[error.code] ?? error.code;
    const call = { resolution_id, action_id: 'thing.do', parameters: {} };
    const { body } = await world.execute(session_id, call, requester, as);
    return body.error ? (OUTCOMES[body.error.code] ?? body.error.code) : body.status;
  }

  async function play(
    world: World,
    atlas_id: string,
    keys: readonly KeyPlan[],
    model: Model,
    calls: readonly CallPlan[],
    seen: Map<string, number>,
  ): Promise<void> {
    const tokens: Key[] = [];
    for (const key of keys) tokens.push(await makeKey(world, key));
    const ids: (string | undefined)[] = [];
    for (const call of calls) {
      const key = call.key % keys.length;
      const at = call.parent === undefined ? -1 : call.parent % (ids.length + 1);
      const above = model.sessions[at];
      const name =
        above && call.child !== undefined
          ? `${above.name}/${call.child}`
          : (call.name ?? (keys[key] as KeyPlan).actor);
      const opened = await world.send(
        'POST',
        '/v1/sessions',
        { agent_id: name, goal: 'g', atlas_id, ...(above && { parent_session_id: ids[at] }) },
        { as: tokens[key] as Key },
      );
      const session = model.open(keys[key] as KeyPlan, name, above);
      expect([name, opened.status]).toEqual([name, session ? 201 : 403]);
      model.sessions.push(session);
      ids.push(opened.body.session_id);
      if (!session) continue;
      const by = (call.requestKey ?? call.key) % keys.length;
      const said = call.requestName ?? name;
      const expected = model.call(keys[by] as KeyPlan, session, said);
      expect(await ran(world, opened.body.session_id, said, tokens[by] as Key)).toBe(expected);
      const what = session.name === session.bound ? expected : `${expected} as a subagent`;
      seen.set(what, (seen.get(what) ?? 0) + 1);
    }
  }

  it(
    `no decision and no limit is another than what their credentials are given (${runs} cases)`,
    async () => {
      const world = await openWorld(await open(worldMigrations));
      const seen = new Map<string, number>();
      await fc.assert(
        fc.asyncProperty(plans, async ({ keys: planned, rules, calls }) => {
          const atlas_id = `com.example.case${made++}`;
          const manifest = manifestOf({
            atlas_id,
            actions: [actionOf('thing.do', echo)],
            policies: rules.map(policyOf),
          });
          expect((await world.load(manifest)).status).toBe(201);
          try {
            await play(world, atlas_id, sameTypes(planned), new Model(rules), calls, seen);
          } finally {
            await world.send('DELETE', `/v1/atlases/${atlas_id}`);
          }
        }),
        { numRuns: runs },
      );
      if (runs < 300) return;
      // A generator that no longer reaches an outcome proves nothing about it.
      for (const outcome of ['success', 'denied', 'limited', 'refused']) {
        expect([outcome, seen.get(outcome)]).toEqual([outcome, expect.any(Number)]);
      }
      expect(seen.get('success as a subagent')).toBeGreaterThan(0);
    },
    TIMEOUT,
  );
});

/** An id means one actor of one type in a store: what is generated for it first holds. */
const TYPES = new Map<string, KeyPlan['type']>();

function sameTypes(keys: readonly KeyPlan[]): KeyPlan[] {
  return keys.map((key) => {
    const type = TYPES.get(key.actor) ?? key.type;
    TYPES.set(key.actor, type);
    return { ...key, type };
  });
}
