import { canonicalAgentic } from '../../../../src/kernel/json/canonical/agentic.ts';
import { readJson } from '../../../../src/kernel/json/reader.ts';
import { nodeHasher } from '../../../../src/platform/index.ts';
import { assert, Failure, Skip } from '../assertions.ts';
import type { Reply, Target } from '../target.ts';

export interface WireActor {
  readonly id: string;
  readonly type: string;
}

export interface TrialOptions {
  readonly target: Target;
  /** Part of every id and project, so that runs do not collide. */
  readonly run: string;
  /** The actor behind the credential. */
  readonly actor: WireActor;
  /** An actor in whose name the credential may also write; without one, privacy cannot be tested. */
  readonly other: WireActor | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: documents of a foreign server have any shape.
type Any = any;
type Members = Readonly<Record<string, unknown>>;

/** What checks work with: fresh names, complete documents, and readers for every form an answer may take. */
export class Trial {
  readonly target: Target;
  readonly actor: WireActor;
  readonly other: WireActor | undefined;
  readonly project: string;
  readonly #run: string;
  #count = 0;

  constructor({ target, run, actor, other }: TrialOptions) {
    this.target = target;
    this.actor = actor;
    this.other = other;
    this.#run = run;
    this.project = `conformance_${run}`;
  }

  /** Another project of the same run. */
  projectNamed(name: string): string {
    return `${this.project}_${name}`;
  }

  freshId(prefix = 'pkg'): string {
    this.#count += 1;
    return `${prefix}_${nodeHasher.hex(`${this.#run}:${this.#count}`).slice(0, 32)}`;
  }

  get(path: string): Promise<Reply> {
    return this.target.send('GET', path);
  }

  /** `path` is relative to the project. */
  getIn(project: string, path: string): Promise<Reply> {
    return this.get(`${projectPath(project)}${path}`);
  }

  ensureProject(): Promise<Reply> {
    return this.target.send('POST', '/v1/projects', { project_id: this.project, name: this.project });
  }

  /** The nine required fields, and more. */
  aPackage(more: Members = {}): Record<string, Any> {
    return {
      package_id: this.freshId(),
      project_id: this.project,
      relay_version: '0.1',
      title: 'A package of the conformance suite',
      status: 'complete',
      package_type: 'standard',
      review_type: 'none',
      created_at: new Date().toISOString(),
      created_by: { ...this.actor, session_id: null },
      ...more,
    };
  }

  deposit(body: Record<string, Any> | string, headers: Record<string, string> = {}): Promise<Reply> {
    const { project_id } = typeof body === 'string' ? JSON.parse(body) : body;
    return this.target.send('POST', `${projectPath(project_id)}/packages`, body, { headers });
  }

  async deposited(more: Members = {}): Promise<Record<string, Any>> {
    const body = this.aPackage(more);
    assertAccepted(await this.deposit(body), 'a valid deposit');
    return body;
  }

  /** A package of another author, where possible, that awaits the review of whoever runs the suite. */
  async awaitingReview(): Promise<Record<string, Any>> {
    const created_by = { ...(this.other ?? this.actor) };
    return this.deposited({ status: 'awaiting_review', review_type: 'agent', created_by });
  }

  read(packageId: string): Promise<Reply> {
    return this.get(`${packagePath(packageId)}?project=${encodeURIComponent(this.project)}`);
  }

  /** Deposits a package and reads it. */
  async readBack(more: Members = {}): Promise<Reply & { readonly body: Record<string, Any> }> {
    const body = await this.deposited(more);
    return { ...(await this.read(body.package_id)), body };
  }

  async packages(project: string, query = ''): Promise<Any[]> {
    return listOf(await this.getIn(project, `/packages?mode=latest${query}`), 'packages');
  }

  flag(packageId: string, review_type: string): Promise<Reply> {
    return this.target.send('POST', packagePath(packageId, 'flag'), { review_type });
  }

  assert(body: Members, project = this.project): Promise<Reply> {
    return this.target.send('POST', `${projectPath(project)}/facts`, body);
  }

  async asserted(body: Members, project = this.project): Promise<Any> {
    const reply = await this.assert(body, project);
    assertAccepted(reply, 'a valid fact');
    return reply.json;
  }

  async facts(query: string, project = this.project): Promise<Any[]> {
    const reply = await this.getIn(project, `/facts?${query}`);
    assert(reply.status === 200, `facts cannot be read: ${shown(reply)}`);
    return listOf(reply, 'facts');
  }

  requireOther(): WireActor {
    if (!this.other) throw new Skip('the credential cannot write in the name of another actor');
    return this.other;
  }
}

export function projectPath(project: unknown): string {
  return `/v1/projects/${encodeURIComponent(String(project))}`;
}

export function packagePath(packageId: string, verb?: string): string {
  return `/v1/packages/${encodeURIComponent(packageId)}${verb ? `/${verb}` : ''}`;
}

export function listOf(reply: Reply, name: string): Any[] {
  const { json } = reply;
  const list = Array.isArray(json) ? json : (json?.[name] ?? json?.items);
  if (!Array.isArray(list)) throw new Failure(`no list of ${name} in the answer: ${shown(reply)}`);
  return list.map((item) => item?.package ?? item);
}

/** The content hash, wherever the server puts it: in a header, the ETag, or beside the package. */
export function hashIn(reply: Reply): string | undefined {
  const header = reply.headers.get('relay-content-hash') ?? reply.headers.get('etag')?.replaceAll('"', '');
  const hash = header ?? reply.json?.content_hash ?? reply.json?.hash;
  return typeof hash === 'string' ? hash.replace(/^W\//, '').replace(/^sha256:/, '') : undefined;
}

/** The content hash as the specification computes it. */
export function specHash(text: string): string {
  return nodeHasher.hex(canonicalAgentic(readJson(text, { maxDepth: 500 })));
}

export function codeOf(reply: Reply): string {
  const error = reply.json?.error;
  return typeof error === 'string' ? error : String(error?.code ?? reply.json?.code ?? '');
}

/** A reply in a message. */
export function shown(reply: Reply): string {
  return `${reply.status} ${reply.text.slice(0, 200)}`;
}

export function assertAccepted(reply: Reply, what: string): void {
  assert(reply.status >= 200 && reply.status < 300, `${what} was refused: ${shown(reply)}`);
}

export function assertError(reply: Reply, status: number, code: string, what = 'the answer'): void {
  assert(
    reply.status === status && codeOf(reply) === code,
    `${what}: expected ${status} ${code}, got ${reply.status} ${codeOf(reply) || reply.text.slice(0, 120)}`,
  );
}
