import type { Clock } from '../../../../src/kernel/clock.ts';
import type { Hasher } from '../../../../src/kernel/hasher.ts';
import { formatMicros } from '../../../../src/kernel/instant.ts';
import type { LooseRecord } from '../../../../src/kernel/json/loose.ts';
import { assert } from '../assertions.ts';
import type { Reply, SendOptions, Target } from '../target.ts';
import { assertStatus } from './case.ts';

export interface BenchDeps {
  readonly target: Target;
  readonly clock: Clock;
  readonly ids: () => string;
  readonly hasher: Hasher;
  /** What is wrong with a message by a published schema; empty if nothing is. */
  readonly schemaFaults: (schema: SchemaName, message: unknown) => readonly string[];
  readonly executor: string;
  readonly otherToken: string | undefined;
  /** Opens a WebSocket, returns its first messages and closes it. */
  readonly openSocket?: (
    url: string,
    token: string | undefined,
    messages: number,
  ) => Promise<readonly string[]>;
}

export type SchemaName = 'carp-request' | 'carp-resolution' | 'trace-event' | 'atlas-manifest';

export interface TraceLine {
  readonly event_type: string;
  readonly sequence: number;
  readonly payload: LooseRecord;
  readonly [member: string]: unknown;
}

export const ALLOW_ALL = { policy_id: 'all', type: 'allow' };

/** What a case works with: names of its own, and the steps that most cases share. Unloads what it loaded. */
export class Bench {
  readonly deps: BenchDeps;
  readonly word: string;
  readonly atlasId: string;
  readonly #loaded = new Set<string>();

  constructor(deps: BenchDeps) {
    this.deps = deps;
    this.word = `k${deps.ids().replaceAll('-', '').slice(-10)}`;
    this.atlasId = `com.conformance.${this.word}`;
  }

  id(): string {
    return this.deps.ids();
  }

  now(offsetSeconds = 0): string {
    return formatMicros(this.deps.clock.now() + offsetSeconds * 1_000_000);
  }

  /** Action ids are unique over all loaded Atlases, so every case has a first word of its own. */
  action(rest: string): string {
    return `${this.word}.${rest}`;
  }

  send(method: string, path: string, body?: unknown, options?: SendOptions): Promise<Reply> {
    return this.deps.target.send(method, path, body, options);
  }

  manifest(parts: LooseRecord = {}): LooseRecord {
    return {
      atlas_version: '1.0',
      atlas_id: this.atlasId,
      version: '1.0.0',
      name: 'Conformance',
      description: 'Made by a conformance run',
      ...parts,
    };
  }

  /** Cases write ids and globs without their word; the server sees them with it. */
  actions(ids: readonly (string | LooseRecord)[]): LooseRecord[] {
    return ids.map((each) => {
      const given = typeof each === 'string' ? { action_id: each } : each;
      return {
        name: String(given.action_id),
        description: 'Made by a conformance run',
        parameters_schema: { type: 'object' },
        executor: this.deps.executor,
        ...given,
        action_id: this.action(String(given.action_id)),
      };
    });
  }

  policies(policies: readonly LooseRecord[]): LooseRecord[] {
    return policies.map((policy) =>
      Array.isArray(policy.actions)
        ? {
            ...policy,
            actions: policy.actions.map((glob: string) => (glob.startsWith('*') ? glob : this.action(glob))),
          }
        : policy,
    );
  }

  async load(parts: LooseRecord = {}): Promise<Reply> {
    const manifest = this.manifest(parts);
    const reply = await this.send('POST', '/v1/atlases', manifest);
    if (reply.status === 201) this.#loaded.add(String(manifest.atlas_id));
    return reply;
  }

  async loadRules(
    policies: readonly LooseRecord[],
    actions: readonly (string | LooseRecord)[],
    parts: LooseRecord = {},
  ): Promise<void> {
    const rules = { policies: this.policies(policies), actions: this.actions(actions) };
    assertStatus(await this.load({ ...rules, ...parts }), 201, 'POST /v1/atlases');
  }

  async start(parts: LooseRecord = {}): Promise<string> {
    const session = { agent_id: 'conformance', goal: 'Run the suite', ...parts };
    const reply = await this.send('POST', '/v1/sessions', session);
    assertStatus(reply, 201, 'POST /v1/sessions');
    return reply.json.session_id;
  }

  end(sessionId: string): Promise<Reply> {
    return this.send('DELETE', `/v1/sessions/${sessionId}`);
  }

  request(sessionId: string, parts: LooseRecord = {}): LooseRecord {
    return {
      carp_version: '1.0',
      request_id: this.id(),
      timestamp: this.now(),
      operation: 'resolve',
      requester: { agent_id: 'conformance', session_id: sessionId },
      task: { goal: 'Run the suite' },
      atlas_ids: [this.atlasId],
      ...parts,
    };
  }

  ask(sessionId: string, parts: LooseRecord = {}): Promise<Reply> {
    return this.send('POST', '/v1/resolve', this.request(sessionId, parts));
  }

  // biome-ignore lint/suspicious/noExplicitAny: a server under test may answer anything.
  async resolve(sessionId: string, parts: LooseRecord = {}): Promise<any> {
    const reply = await this.ask(sessionId, parts);
    assertStatus(reply, 200, 'POST /v1/resolve');
    return reply.json;
  }

  execute(sessionId: string, execution: LooseRecord, parts: LooseRecord = {}): Promise<Reply> {
    const { task, ...request } = this.request(sessionId, { operation: 'execute', ...parts });
    return this.send('POST', '/v1/execute', { ...request, execution: { parameters: {}, ...execution } });
  }

  async trace(sessionId: string, query = ''): Promise<TraceLine[]> {
    const { status, json } = await this.send('GET', `/v1/traces/${sessionId}${query}`);
    const events = Array.isArray(json) ? json : json?.events;
    assert(status === 200 && Array.isArray(events), `GET /v1/traces/{id}: ${status} without events`, json);
    return events;
  }

  async eventsOf(type: string, sessionId: string): Promise<TraceLine[]> {
    return (await this.trace(sessionId)).filter((event) => event.event_type === type);
  }

  fits(schema: SchemaName, message: unknown): void {
    const faults = this.deps.schemaFaults(schema, message);
    assert(faults.length === 0, `does not match ${schema}: ${faults[0]}`, { faults, message });
  }

  /** Best effort: what a server cannot unload stays, under names that nobody else uses. */
  async clean(): Promise<void> {
    for (const atlasId of this.#loaded)
      await this.send('DELETE', `/v1/atlases/${atlasId}`).catch(() => undefined);
  }
}
