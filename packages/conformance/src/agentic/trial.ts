import { canonicalAgentic } from '../../../../src/kernel/json/canonical/agentic.ts';
import { readJson } from '../../../../src/kernel/json/reader.ts';
import { nodeHasher } from '../../../../src/platform/index.ts';
import { demand, Failure, Skip } from './check.ts';
import type { Reply, Target } from './target.ts';

export interface WireActor {
  readonly id: string;
  readonly type: string;
}

export interface TrialOptions {
  readonly target: Target;
  /** Put into every id and project, so that runs do not meet. */
  readonly run: string;
  /** Who the credential stands for. */
  readonly actor: WireActor;
  /** Whether the credential may write in another's name: what is private can only be tested then. */
  readonly other: WireActor | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: documents of a foreign server have any shape.
type Any = any;

/** What checks work with: fresh names, whole documents, and the ways in which servers answer lists and hashes. */
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

  aPackage(more: Record<string, unknown> = {}): Record<string, Any> {
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
    const project = typeof body === 'string' ? (JSON.parse(body) as Any).project_id : body.project_id;
    return this.target.send('POST', `${this.projectPath(String(project))}/packages`, body, headers);
  }

  async deposited(more: Record<string, unknown> = {}): Promise<Record<string, Any>> {
    const body = this.aPackage(more);
    const reply = await this.deposit(body);
    demand(reply.status >= 200 && reply.status < 300, `a valid deposit was refused: ${said(reply)}`);
    return body;
  }

  /** The package as a reader gets it. */
  async read(packageId: string): Promise<Reply> {
    return this.target.get(
      `/v1/packages/${encodeURIComponent(packageId)}?project=${encodeURIComponent(this.project)}`,
    );
  }

  async ensureProject(projectId: string): Promise<void> {
    await this.target.send('POST', '/v1/projects', { project_id: projectId, name: projectId });
  }

  async assert(body: Record<string, unknown>, project = this.project): Promise<Reply> {
    return this.target.send('POST', `${this.projectPath(project)}/facts`, body);
  }

  async asserted(body: Record<string, unknown>, project = this.project): Promise<Any> {
    const reply = await this.assert(body, project);
    demand(reply.status >= 200 && reply.status < 300, `a valid fact was refused: ${said(reply)}`);
    return reply.json;
  }

  async facts(query: string, project = this.project): Promise<Any[]> {
    const reply = await this.target.get(`${this.projectPath(project)}/facts?${query}`);
    demand(reply.status === 200, `facts cannot be read: ${said(reply)}`);
    return listOf(reply, 'facts');
  }

  projectPath(project: string): string {
    return `/v1/projects/${encodeURIComponent(project)}`;
  }

  /** For what needs to be written in somebody else's name. */
  requireOther(): WireActor {
    if (!this.other) throw new Skip('the credential cannot write in the name of another actor');
    return this.other;
  }
}

export function listOf(reply: Reply, name: string): Any[] {
  const { json } = reply;
  const list = Array.isArray(json) ? json : (json?.[name] ?? json?.items);
  if (!Array.isArray(list)) throw new Failure(`no list of ${name} in the answer: ${said(reply)}`);
  return list.map((item) => item?.package ?? item);
}

/** However the server lets it travel: header, ETag, or beside the package. */
export function hashIn(reply: Reply): string | undefined {
  const header = reply.headers.get('relay-content-hash') ?? reply.headers.get('etag')?.replaceAll('"', '');
  const hash = header ?? reply.json?.content_hash ?? reply.json?.hash;
  return typeof hash === 'string' ? hash.replace(/^W\//, '').replace(/^sha256:/, '') : undefined;
}

export function specHash(text: string): string {
  return nodeHasher.hex(canonicalAgentic(readJson(text, { maxDepth: 500 })));
}

export function codeOf(reply: Reply): string {
  const error = reply.json?.error;
  return typeof error === 'string' ? error : String(error?.code ?? reply.json?.code ?? '');
}

export function said(reply: Reply): string {
  return `${reply.status} ${reply.text.slice(0, 200)}`;
}

export function demandError(reply: Reply, status: number, code: string): void {
  demand(
    reply.status === status && codeOf(reply) === code,
    `expected ${status} ${code}, got ${reply.status} ${codeOf(reply) || reply.text.slice(0, 120)}`,
  );
}
