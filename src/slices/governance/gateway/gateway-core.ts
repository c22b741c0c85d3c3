import { BatonError } from '../../../kernel/error.ts';
import { requireProject, requireScope } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { bindAgent } from '../../../spine/identity/sessions/bound-agent.ts';
import type { GovernanceDeps } from '../ports.ts';
import { createPinnedAtlas, type PinnedAtlas } from './atlas-in-force.ts';
import { type Reviewed, reviewTools } from './changes.ts';
import { atlasIdOf, type GatewayConfig } from './config.ts';
import type { DecisionsDeps } from './decisions.ts';
import { type ListedTool, toolDigest, type UpstreamTool } from './gateway-atlas.ts';
import { Outcomes } from './outcomes.ts';
import type { Params } from './rpc.ts';

export interface GatewayOptions {
  readonly config: GatewayConfig;
  readonly deps: GovernanceDeps;
  /** Whose gateway it is: in its default project, and with its right to load Atlases or without. */
  readonly principal: Principal;
  readonly version?: string;
  readonly log?: (error: unknown) => void;
  /** What the servers' processes write to standard error. */
  readonly stderr?: (server: string, text: string) => void;
}

const APPROVAL_WAIT_SECONDS = 45;
const CALL_SECONDS = 600;
const START_SECONDS = 15;
const LOAD_TRIES = 3;

/** What all clients of one gateway share: its Atlas, and the way into the store. */
export class GatewayCore {
  readonly config: GatewayConfig;
  readonly version: string;
  readonly atlas: PinnedAtlas;
  readonly atlasId: string;
  readonly log: (error: unknown) => void;
  readonly stderr: (server: string, text: string) => void;
  readonly #deps: GovernanceDeps;
  readonly #principal: Principal;
  readonly #outcomes: Outcomes;
  readonly #digests = new WeakMap<object, string>();
  #reviewing: Promise<unknown> = Promise.resolve();
  /** What was looked at last, and under which Atlas: the same need not be looked at again. */
  #reviewed: string | undefined;
  #waiting: string | undefined;

  constructor({ config, deps, principal, version = '1.0.0', log, stderr }: GatewayOptions) {
    this.config = config;
    this.version = version;
    this.#deps = deps;
    this.#principal = principal;
    this.log = log ?? (() => undefined);
    this.stderr = stderr ?? (() => undefined);
    this.atlasId = atlasIdOf(config, principal.actor.id);
    this.atlas = createPinnedAtlas(deps, principal.defaultProject, this.atlasId);
    this.#outcomes = new Outcomes(this.log);
  }

  get startMs(): number {
    return (this.config.start_seconds ?? START_SECONDS) * 1000;
  }

  get decisionParts(): Omit<DecisionsDeps, 'principal' | 'session'> {
    const { approval_wait_seconds: wait = APPROVAL_WAIT_SECONDS, call_seconds: call = CALL_SECONDS } =
      this.config;
    return {
      deps: this.#deps,
      atlas: this.atlas,
      outcomes: this.#outcomes,
      goal: this.config.goal,
      approvalWaitMs: wait * 1000,
      callSeconds: call,
    };
  }

  digestOf(tool: Params): string {
    const known = this.#digests.get(tool) ?? toolDigest(tool as unknown as UpstreamTool, this.#deps.hasher);
    this.#digests.set(tool, known);
    return known;
  }

  /** Throws unless the credential may execute in the gateway's project, as the agent that the gateway is for. */
  async startSession(
    principal: Principal,
  ): Promise<{ readonly sessionId: string; readonly agentId: string }> {
    const { defaultProject: projectId } = this.#principal;
    requireProject(principal, projectId);
    for (const scope of ['carp:resolve', 'carp:execute', 'sessions:write']) requireScope(principal, scope);
    const agentId = this.config.agent_id ?? principal.actor.id;
    const { sessionId } = await this.#deps.db.write(async (uow) =>
      this.#deps.sessions.startSession(uow, {
        projectId,
        actor: principal.actor,
        agent: await bindAgent(uow, principal, { agentId }),
        goal: this.config.goal,
        atlasId: this.atlasId,
      }),
    );
    return { sessionId, agentId };
  }

  async endSession(sessionId: string): Promise<void> {
    await this.#outcomes.drain();
    await this.#deps.db.write((uow) => this.#deps.sessions.endSession(uow, sessionId, 'completed'));
  }

  /** One at a time, since each may load what the next compares with. */
  review(listed: readonly ListedTool[]): Promise<void> {
    const mine = this.#reviewing.then(() => this.#review(listed));
    this.#reviewing = mine.catch(() => undefined);
    return mine;
  }

  async #review(listed: readonly ListedTool[]): Promise<void> {
    const key = () =>
      [
        this.atlas.current?.pin.digest,
        ...listed.map(({ server, tool }) => `${server} ${this.#digest(tool)}`),
      ].join();
    const current = this.atlas.current;
    if (this.#reviewed === key()) return;
    const known = ({ server, tool }: ListedTool) => current?.actionOf(server, tool.name, this.#digest(tool));
    const first = this.#reviewed === undefined;
    if (first || !listed.every(known)) {
      const { waiting } = await this.reviewNow(listed, first ? 'start' : 'running');
      this.#waiting = waiting;
    }
    await this.atlas.repin();
    this.#reviewed = key();
  }

  async reviewNow(listed: readonly ListedTool[], when: 'start' | 'running' | 'accept'): Promise<Reviewed> {
    const { config, atlasId } = this;
    const principal = this.#principal;
    const review = { principal, projectId: principal.defaultProject, atlasId, config, listed, when };
    for (let left = LOAD_TRIES; ; left -= 1) {
      try {
        return await this.#deps.db.write((uow) => reviewTools(uow, this.#deps, review));
      } catch (error) {
        // Another gateway with this name has loaded its version first: compare with that one.
        if (left === 0 || !(error instanceof BatonError) || error.code !== 'atlas_already_loaded')
          throw error;
      }
    }
  }

  notAccepted(): string {
    const item = this.#waiting === undefined ? 'The question' : this.#waiting;
    return `Nobody has accepted the tools of this gateway yet; this is not a refusal. ${item} waits in the inbox; go on elsewhere and try again later.`;
  }

  async close(): Promise<void> {
    await this.#reviewing;
    await this.#outcomes.drain();
    this.atlas.close();
  }

  #digest(tool: UpstreamTool): string {
    return this.digestOf(tool as unknown as Params);
  }
}
