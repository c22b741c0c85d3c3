import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { BatonError } from '../../../kernel/error.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { Decisions, type Ruling } from './decisions.ts';
import { passingAction, pinnedToolOf, type UpstreamTool } from './gateway-atlas.ts';
import type { GatewayCore } from './gateway-core.ts';
import { type ListMethod, memberOf } from './listings.ts';
import {
  methodNotFound,
  type Params,
  Rpc,
  RpcError,
  type SendOptions,
  type Serving,
  tokenOf,
  type Wire,
} from './rpc.ts';
import { type Connected, Upstreams } from './upstreams.ts';

type Handler = (params: Params, serving: Serving) => Promise<Params>;

/** Beside a tool whose server is unavailable: why. */
const UNAVAILABLE = 'dev.baton/unavailable';

/**
 * One MCP client of the gateway. It has servers of its own, because a server's session is one client's: its capabilities,
 * roots, log level and subscriptions, and whom the server may ask for a sample or an answer. What passes between them
 * passes as it is; names of tools and prompts get their server in front, and a call is decided before it runs.
 */
export class ClientSession {
  readonly #core: GatewayCore;
  readonly #principal: Principal;
  readonly #client: Rpc;
  readonly #ended: () => void;
  readonly #handlers: Readonly<Record<string, Handler>>;
  /** The client's requests that a server works on, the latest last: what it asks meanwhile belongs to them. */
  readonly #inFlight = new Map<string, Set<string | number>>();
  readonly #subscribed = new Map<string, Set<string>>();
  readonly #taskOwners = new Map<string, string>();
  #upstreams: Upstreams | undefined;
  #decisions: Decisions | undefined;
  #sessionId: string | undefined;
  #logLevel: Params | undefined;
  #announcing: NodeJS.Timeout | undefined;
  #unfollow: () => void = () => undefined;
  #greeted = false;
  #closing: Promise<void> | undefined;

  constructor(core: GatewayCore, principal: Principal, wire: Wire, ended: () => void = () => undefined) {
    this.#core = core;
    this.#principal = principal;
    this.#ended = ended;
    this.#client = new Rpc(wire, {
      request: (method, params, serving) => this.#serve(method, params, serving),
      notification: (method, params) => this.#fromClient(method, params),
      closed: () => void this.close().catch(core.log),
      failed: (error) => core.log(error),
    });
    this.#handlers = {
      initialize: (params) => this.#initialize(params),
      ping: async () => ({}),
      'tools/list': () => this.#listTools(),
      'tools/call': (params, serving) => this.#callTool(params, serving),
      'resources/list': () => this.#list('resources/list', 'read'),
      'resources/templates/list': () => this.#list('resources/templates/list', 'read'),
      'resources/read': (params, serving) => this.#readResource(params, serving),
      'resources/subscribe': (params, serving) => this.#subscribe(params, serving),
      'resources/unsubscribe': (params, serving) => this.#unsubscribe(params, serving),
      'prompts/list': () => this.#list('prompts/list', 'prompt'),
      'prompts/get': (params, serving) => this.#getPrompt(params, serving),
      'completion/complete': (params, serving) => this.#complete(params, serving),
      'logging/setLevel': (params, serving) => this.#setLevel(params, serving),
      'tasks/list': (_params, serving) => this.#listTasks(serving),
    };
  }

  open(): Promise<void> {
    return this.#client.open();
  }

  /** Baton's session of this client; undefined until it has introduced itself. */
  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  close(): Promise<void> {
    // Not at once: a transport may say that it is closed while it is being closed.
    this.#closing ??= Promise.resolve().then(() => this.#close());
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#announcing);
    this.#unfollow();
    await this.#client.close();
    await this.#upstreams?.close();
    if (this.#sessionId !== undefined) await this.#core.endSession(this.#sessionId);
    this.#ended();
  }

  async #serve(method: string, params: Params, serving: Serving): Promise<Params> {
    try {
      const handler = this.#handlers[method];
      if (handler) {
        if (!this.#upstreams && method !== 'initialize' && method !== 'ping') {
          throw new RpcError(INVALID_REQUEST, 'The client has not sent initialize yet.');
        }
        return await handler(params, serving);
      }
      return await this.#forwardOther(method, params, serving);
    } catch (thrown) {
      throw thrown instanceof BatonError ? new RpcError(INVALID_REQUEST, sentenceOf(thrown)) : thrown;
    }
  }

  async #initialize(params: Params): Promise<Params> {
    if (this.#upstreams) throw new RpcError(INVALID_REQUEST, 'The client has sent initialize before.');
    const core = this.#core;
    const asked = String(params.protocolVersion);
    const version = SUPPORTED_PROTOCOL_VERSIONS.includes(asked) ? asked : LATEST_PROTOCOL_VERSION;
    this.#upstreams = new Upstreams(core.config.servers, { ...params, protocolVersion: version }, (server) =>
      this.#eventsOf(server),
    );
    const session = await core.startSession(this.#principal);
    this.#sessionId = session.sessionId;
    this.#decisions = new Decisions({ ...core.decisionParts, principal: this.#principal, session });
    await this.#upstreams.start(core.startMs);
    this.#unfollow = core.atlas.onChange(() => this.#announce('tools'));
    await this.#review();
    this.#greeted = true;
    const instructions = [
      ...(core.atlas.current ? [] : [core.notAccepted()]),
      this.#upstreams.instructions() ?? '',
    ];
    return {
      protocolVersion: version,
      capabilities: this.#upstreams.capabilities(),
      serverInfo: { name: 'baton-gateway', title: 'Baton gateway', version: core.version },
      ...(instructions.some(Boolean) && { instructions: instructions.filter(Boolean).join('\n\n') }),
    };
  }

  /** Has new and changed tools looked at, where there are any. */
  async #review(forClient = false): Promise<void> {
    const listed: { server: string; tool: UpstreamTool }[] = [];
    for (const { upstream, lists } of this.#upstreams?.all ?? []) {
      if (upstream.fault !== undefined) continue;
      const tools = await (forClient ? lists.getForClient('tools/list') : lists.get('tools/list'));
      for (const tool of tools) listed.push({ server: upstream.name, tool: tool as unknown as UpstreamTool });
    }
    await this.#core.review(listed);
  }

  async #listTools(): Promise<Params> {
    await this.#review(true);
    const allowed = await this.#decisions?.allowed();
    const tools: Params[] = [];
    for (const { upstream, lists } of this.#upstreams?.all ?? []) {
      for (const tool of await lists.get('tools/list')) {
        const action = allowed?.atlas.actionOf(upstream.name, String(tool.name), this.#core.digestOf(tool));
        if (!action || !allowed?.actionIds.has(action.action_id)) continue;
        tools.push({
          ...tool,
          name: allowed.atlas.names.nameOf.get(action.action_id),
          ...(upstream.fault !== undefined && {
            _meta: { ...(tool._meta as object | undefined), [UNAVAILABLE]: upstream.fault },
          }),
        });
      }
    }
    return { tools };
  }

  async #callTool(params: Params, serving: Serving): Promise<Params> {
    const name = String(params.name);
    const atlas = this.#core.atlas.current ?? (await this.#core.atlas.repin());
    if (!atlas) return failure(this.#core.notAccepted());
    const action = atlas.action(atlas.names.actionOf.get(name) ?? '')?.action;
    const pinned = action && pinnedToolOf(action);
    const connected = pinned && this.#upstreams?.get(pinned.server);
    if (!action || !connected) throw new RpcError(INVALID_PARAMS, `Tool ${name} not found`);
    const { upstream, lists } = connected;
    try {
      const listed = (await lists.get('tools/list')).find((tool) => tool.name === action.name);
      if (upstream.fault !== undefined) throw upstream.unavailable();
      if (!listed) return failure(`${upstream.name} does not offer this tool now.`);
      if (this.#core.digestOf(listed) !== pinned.digest) {
        return failure(
          'This tool has changed since a person accepted it, so it is not run; this is not a refusal. The change waits in the inbox; go on elsewhere and try again later.',
        );
      }
      return await this.#governed(connected, action.action_id, serving, {
        parameters: (params.arguments ?? {}) as Params,
        method: 'tools/call',
        params: { ...params, name: action.name },
        refused: failure,
      });
    } catch (thrown) {
      if (thrown instanceof BatonError) return failure(sentenceOf(thrown));
      throw thrown;
    }
  }

  /** Decides, and sends the request to the server where it may run. */
  async #governed(
    { upstream }: Connected,
    actionId: string,
    serving: Serving,
    call: {
      readonly parameters: Params;
      readonly method: string;
      readonly params: Params;
      readonly refused: (text: string) => Params;
    },
  ): Promise<Params> {
    const ruling = (await this.#decisions?.call({
      actionId,
      parameters: call.parameters,
      signal: serving.signal,
      run: (signal) => this.#forward({ upstream }, call.method, call.params, { ...serving, signal }),
      held: (ids) => this.#tellHeld(call.params, serving, ids),
    })) as Ruling;
    return ruling.kind === 'ran' ? ruling.result : call.refused(ruling.text);
  }

  /** Clients that count the time since the last notice then know that the call is not lost. */
  #tellHeld(params: Params, { id }: Serving, ids: readonly string[]): void {
    const progressToken = tokenOf(params);
    if (progressToken === undefined) return;
    const message = `A person is asked: ${ids.join(', ')}`;
    this.#client.notify(
      'notifications/progress',
      { progressToken, progress: 0, message },
      { relatedRequestId: id },
    );
  }

  /** Sends a request of the client to a server, and its progress notices back. */
  async #forward(
    { upstream }: Pick<Connected, 'upstream'>,
    method: string,
    params: Params,
    { id, signal }: Serving,
  ): Promise<Params> {
    const inFlight = this.#inFlight.get(upstream.name) ?? new Set();
    this.#inFlight.set(upstream.name, inFlight.add(id));
    const progressToken = tokenOf(params);
    try {
      const result = await upstream.request(method, params, {
        signal,
        onProgress:
          progressToken === undefined
            ? undefined
            : (progress) =>
                this.#client.notify(
                  'notifications/progress',
                  { ...progress, progressToken },
                  { relatedRequestId: id },
                ),
      });
      const taskId = (result.task as { readonly taskId?: string } | undefined)?.taskId;
      if (taskId !== undefined) this.#taskOwners.set(taskId, upstream.name);
      return result;
    } finally {
      inFlight.delete(id);
    }
  }

  async #list(method: ListMethod, kind: 'read' | 'prompt'): Promise<Params> {
    const member = memberOf(method);
    const allowed = await this.#decisions?.allowed();
    const items: Params[] = [];
    for (const { upstream, lists } of this.#upstreams?.all ?? []) {
      if (!allowed?.actionIds.has(passingAction(upstream.name, kind))) continue;
      for (const item of await lists.getForClient(method)) {
        items.push(kind === 'prompt' ? { ...item, name: `${upstream.name}_${item.name}` } : item);
      }
    }
    return { [member]: items };
  }

  async #readResource(params: Params, serving: Serving): Promise<Params> {
    const uri = String(params.uri);
    return this.#ofFirst(await this.#owners(uri), (connected) =>
      this.#governed(connected, passingAction(connected.upstream.name, 'read'), serving, {
        parameters: { uri },
        method: 'resources/read',
        params,
        refused: (text) => {
          throw new RpcError(INVALID_REQUEST, text);
        },
      }),
    );
  }

  async #owners(uri: string): Promise<Connected[]> {
    const owners = (await this.#upstreams?.ownersOf(uri)) ?? [];
    if (owners.length === 0) throw new RpcError(-32002, `Resource ${uri} not found`);
    return owners;
  }

  /** The answer of the first that has one; the error of the last where none has. */
  async #ofFirst(owners: readonly Connected[], ask: (owner: Connected) => Promise<Params>): Promise<Params> {
    for (const [at, owner] of owners.entries()) {
      try {
        return await ask(owner);
      } catch (error) {
        if (at === owners.length - 1 || !(error instanceof RpcError)) throw error;
      }
    }
    throw new RpcError(INVALID_PARAMS, 'No server has it');
  }

  async #subscribe(params: Params, serving: Serving): Promise<Params> {
    const uri = String(params.uri);
    return this.#ofFirst(await this.#owners(uri), async (owner) => {
      const { name } = owner.upstream;
      const allowed = await this.#decisions?.allowed();
      if (!allowed?.actionIds.has(passingAction(name, 'read'))) {
        throw new RpcError(INVALID_REQUEST, `No policy allows to read resources of ${name}.`);
      }
      const result = await this.#forward(owner, 'resources/subscribe', params, serving);
      this.#subscribed.set(name, (this.#subscribed.get(name) ?? new Set()).add(uri));
      return result;
    });
  }

  async #unsubscribe(params: Params, serving: Serving): Promise<Params> {
    const uri = String(params.uri);
    const holders = (this.#upstreams?.all ?? []).filter(({ upstream }) =>
      this.#subscribed.get(upstream.name)?.has(uri),
    );
    for (const { upstream } of holders) this.#subscribed.get(upstream.name)?.delete(uri);
    const owners = holders.length > 0 ? holders : await this.#owners(uri);
    return this.#ofFirst(owners, (owner) => this.#forward(owner, 'resources/unsubscribe', params, serving));
  }

  async #getPrompt(params: Params, serving: Serving): Promise<Params> {
    const { connected, name } = this.#promptOf(String(params.name));
    return this.#governed(connected, passingAction(connected.upstream.name, 'prompt'), serving, {
      parameters: { name, ...(params.arguments !== undefined && { arguments: params.arguments }) },
      method: 'prompts/get',
      params: { ...params, name },
      refused: (text) => {
        throw new RpcError(INVALID_REQUEST, text);
      },
    });
  }

  /** Names of servers have no underscore, so the first one ends it. */
  #promptOf(given: string): { readonly connected: Connected; readonly name: string } {
    const at = given.indexOf('_');
    const connected = this.#upstreams?.get(given.slice(0, at));
    if (!connected) throw new RpcError(INVALID_PARAMS, `Prompt ${given} not found`);
    return { connected, name: given.slice(at + 1) };
  }

  async #complete(params: Params, serving: Serving): Promise<Params> {
    const ref = (params.ref ?? {}) as Params;
    if (ref.type === 'ref/prompt') {
      const { connected, name } = this.#promptOf(String(ref.name));
      return this.#forward(connected, 'completion/complete', { ...params, ref: { ...ref, name } }, serving);
    }
    const uri = String(ref.uri);
    const owner = await this.#upstreams?.ownerOfTemplate(uri);
    return this.#ofFirst(owner ? [owner] : await this.#owners(uri), (each) =>
      this.#forward(each, 'completion/complete', params, serving),
    );
  }

  async #setLevel(params: Params, serving: Serving): Promise<Params> {
    this.#logLevel = params;
    const having = this.#upstreams?.having('logging') ?? [];
    await Promise.allSettled(having.map((each) => this.#forward(each, 'logging/setLevel', params, serving)));
    return {};
  }

  async #listTasks(serving: Serving): Promise<Params> {
    const tasks: unknown[] = [];
    for (const each of this.#upstreams?.having('tasks') ?? []) {
      if (each.upstream.fault !== undefined) continue;
      const answer = await this.#forward(each, 'tasks/list', {}, serving);
      tasks.push(...((answer.tasks ?? []) as unknown[]));
    }
    return { tasks };
  }

  /** About a task: to whoever runs it. Anything unknown: to the only server, where there is but one. */
  async #forwardOther(method: string, params: Params, serving: Serving): Promise<Params> {
    const owner = typeof params.taskId === 'string' ? this.#taskOwners.get(params.taskId) : undefined;
    const all = this.#upstreams?.all ?? [];
    const connected =
      owner === undefined ? (all.length === 1 ? all[0] : undefined) : this.#upstreams?.get(owner);
    if (!connected || method === 'server/discover') throw methodNotFound(method);
    return this.#forward(connected, method, params, serving);
  }

  #fromClient(method: string, params: Params): void {
    if (method === 'notifications/initialized') return;
    for (const { upstream } of this.#upstreams?.all ?? []) upstream.notify(method, params);
  }

  #eventsOf(server: string) {
    return {
      request: (method: string, params: Params, { signal }: Serving) =>
        method === 'ping' ? Promise.resolve({}) : this.#askClient(server, method, params, signal),
      notification: (method: string, params: Params) => this.#fromServer(server, method, params),
      up: () => void this.#cameUp(server).catch((error: unknown) => this.#core.log(error)),
      down: () => {
        this.#core.log(new Error(`${server}: ${this.#upstreams?.get(server)?.upstream.fault}`));
        this.#announce('tools');
      },
      stderr: (text: string) => this.#core.stderr(server, text),
    };
  }

  /** Sampling, elicitation, roots and whatever else a server asks of the client. */
  #askClient(server: string, method: string, params: Params, signal: AbortSignal): Promise<Params> {
    const progressToken = tokenOf(params);
    return this.#client.request(method, params, {
      signal,
      relatedRequestId: this.#related(server).relatedRequestId,
      onProgress:
        progressToken === undefined
          ? undefined
          : (progress) =>
              this.#upstreams
                ?.get(server)
                ?.upstream.notify('notifications/progress', { ...progress, progressToken }),
    });
  }

  #related(server: string): SendOptions {
    const id = [...(this.#inFlight.get(server) ?? [])].at(-1);
    return id === undefined ? {} : { relatedRequestId: id };
  }

  #fromServer(server: string, method: string, params: Params): void {
    switch (method) {
      case 'notifications/tools/list_changed':
        this.#upstreams?.forget(server, 'tools/list');
        void this.#review()
          .catch((error: unknown) => this.#core.log(error))
          .finally(() => this.#announce('tools'));
        return;
      case 'notifications/resources/list_changed':
        this.#upstreams?.forget(server, 'resources/list', 'resources/templates/list');
        break;
      case 'notifications/prompts/list_changed':
        this.#upstreams?.forget(server, 'prompts/list');
    }
    this.#client.notify(method, params, this.#related(server));
  }

  /** After a restart the server knows nothing of what the client had asked it to remember. */
  async #cameUp(server: string): Promise<void> {
    const connected = this.#upstreams?.get(server);
    if (!connected) return;
    connected.lists.forgetAll();
    if (!this.#greeted) return;
    const { upstream } = connected;
    if (this.#logLevel && upstream.capabilities.logging)
      await upstream.request('logging/setLevel', this.#logLevel);
    for (const uri of this.#subscribed.get(server) ?? [])
      await upstream.request('resources/subscribe', { uri });
    await this.#review();
    this.#announce('tools');
    for (const list of ['resources', 'prompts'] as const) {
      if (upstream.capabilities[list]) this.#client.notify(`notifications/${list}/list_changed`, {});
    }
  }

  /** Several reasons at once are one notice. */
  #announce(list: 'tools'): void {
    if (!this.#greeted || this.#closing) return;
    this.#announcing ??= setTimeout(() => {
      this.#announcing = undefined;
      this.#client.notify(`notifications/${list}/list_changed`, {});
    }, 10);
  }
}

function failure(text: string): Params {
  return { isError: true, content: [{ type: 'text', text }] };
}

function sentenceOf(error: BatonError): string {
  return `${error.code.toUpperCase()}: ${error.message} ${error.next}`;
}
