import type { Clock } from '../../../../src/kernel/clock.ts';
import type { Hasher } from '../../../../src/kernel/hasher.ts';
import { formatMicros } from '../../../../src/kernel/instant.ts';
import { CaseFailure, expectThat } from './case.ts';
import type { Reply, SendOptions, Target } from './target.ts';

export type Doc = Readonly<Record<string, unknown>>;

export interface BenchParts {
  readonly target: Target;
  readonly clock: Clock;
  readonly ids: () => string;
  readonly hasher: Hasher;
  /** Faults of a message against a published schema; empty when it fits. */
  readonly schemaFaults: (schema: SchemaName, message: unknown) => readonly string[];
  readonly executor: string;
  readonly otherToken: string | undefined;
  /** Opens a WebSocket, answers its first messages, and closes it. */
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
  readonly payload: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** What a case works with: names nobody else uses, and the steps that most cases share. What it loads, it unloads. */
export class Bench {
  readonly parts: BenchParts;
  readonly word: string;
  readonly atlasId: string;
  readonly #loaded = new Set<string>();

  constructor(parts: BenchParts) {
    this.parts = parts;
    this.word = `k${parts.ids().replaceAll('-', '').slice(-10)}`;
    this.atlasId = `com.conformance.${this.word}`;
  }

  id(): string {
    return this.parts.ids();
  }

  now(offsetSeconds = 0): string {
    return formatMicros(this.parts.clock.now() + offsetSeconds * 1_000_000);
  }

  /** Action ids are unique over all loaded Atlases, so every case has a first word of its own. */
  action(rest: string): string {
    return `${this.word}.${rest}`;
  }

  send(method: string, path: string, body?: unknown, options?: SendOptions): Promise<Reply> {
    return this.parts.target.send(method, path, body, options);
  }

  manifest(parts: Doc = {}): Doc {
    return {
      atlas_version: '1.0',
      atlas_id: this.atlasId,
      version: '1.0.0',
      name: 'Conformance',
      description: 'Made by a conformance run',
      ...parts,
    };
  }

  /** Ids and globs of the case are written without its word; the server sees them with it. */
  actions(ids: readonly (string | Doc)[]): Doc[] {
    return ids.map((each) => {
      const given = typeof each === 'string' ? { action_id: each } : each;
      return {
        name: String(given.action_id),
        description: 'Made by a conformance run',
        parameters_schema: { type: 'object' },
        executor: this.parts.executor,
        ...given,
        action_id: this.action(String(given.action_id)),
      };
    });
  }

  policies(policies: readonly Doc[]): Doc[] {
    return policies.map((policy) =>
      Array.isArray(policy.actions)
        ? {
            ...policy,
            actions: policy.actions.map((glob: string) => (glob.startsWith('*') ? glob : this.action(glob))),
          }
        : policy,
    );
  }

  async load(parts: Doc = {}): Promise<Reply> {
    const manifest = this.manifest(parts);
    const reply = await this.send('POST', '/v1/atlases', manifest);
    if (reply.status === 201) this.#loaded.add(String(manifest.atlas_id));
    return reply;
  }

  async loadRules(
    policies: readonly Doc[],
    actions: readonly (string | Doc)[],
    parts: Doc = {},
  ): Promise<void> {
    const reply = await this.load({
      policies: this.policies(policies),
      actions: this.actions(actions),
      ...parts,
    });
    expectThat(reply.status === 201, `POST /v1/atlases answered ${reply.status}`, reply.body);
  }

  async start(parts: Doc = {}): Promise<string> {
    const reply = await this.send('POST', '/v1/sessions', {
      agent_id: 'conformance',
      goal: 'Run the suite',
      ...parts,
    });
    expectThat(reply.status === 201, `POST /v1/sessions answered ${reply.status}`, reply.body);
    return reply.body.session_id;
  }

  request(sessionId: string, parts: Doc = {}): Doc {
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

  ask(sessionId: string, parts: Doc = {}): Promise<Reply> {
    return this.send('POST', '/v1/resolve', this.request(sessionId, parts));
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of a server under test have any shape
  async resolve(sessionId: string, parts: Doc = {}): Promise<any> {
    const reply = await this.ask(sessionId, parts);
    expectThat(reply.status === 200, `POST /v1/resolve answered ${reply.status}`, reply.body);
    return reply.body;
  }

  execute(sessionId: string, execution: Doc, parts: Doc = {}): Promise<Reply> {
    const { task, ...request } = this.request(sessionId, { operation: 'execute', ...parts }) as Doc & {
      task: unknown;
    };
    return this.send('POST', '/v1/execute', { ...request, execution: { parameters: {}, ...execution } });
  }

  async trace(sessionId: string): Promise<TraceLine[]> {
    const reply = await this.send('GET', `/v1/traces/${sessionId}`);
    const events = Array.isArray(reply.body) ? reply.body : reply.body?.events;
    if (reply.status !== 200 || !Array.isArray(events)) {
      throw new CaseFailure(`GET /v1/traces/{id} answered ${reply.status} and no events`, reply.body);
    }
    return events;
  }

  fits(schema: SchemaName, message: unknown): void {
    const faults = this.parts.schemaFaults(schema, message);
    expectThat(faults.length === 0, `does not fit ${schema}: ${faults[0]}`, { faults, message });
  }

  /** Best effort: a server that cannot unload keeps what names nobody else uses. */
  async clean(): Promise<void> {
    for (const atlasId of this.#loaded)
      await this.send('DELETE', `/v1/atlases/${atlasId}`).catch(() => undefined);
  }
}
