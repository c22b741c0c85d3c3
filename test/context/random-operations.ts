import fc from 'fast-check';
import { createSigner, statementAbout } from '../../packages/conformance/src/agentic/attestation.ts';
import { nodeHasher } from '../../src/platform/index.ts';
import { aPackage, type World } from './world.ts';

/** Something that people and agents do to a project; `n` says to what. */
export interface RandomOperation {
  readonly kind: (typeof kinds)[number];
  readonly n: number;
}

const kinds = [
  'deposit',
  'deposit for review',
  'draft',
  'answer',
  'flag',
  'approve',
  'request changes',
  'complete',
  'redact',
  'attest',
  'assert',
  'invalidate',
  'start session',
  'end session',
  'deposit in session',
  'blob',
  'rename project',
  'archive and restore',
] as const;

export const randomOperation: fc.Arbitrary<RandomOperation> = fc.record({
  kind: fc.constantFrom(...kinds),
  n: fc.nat(1_000_000),
});

/** Does each operation to what came before it; one that the state does not allow is refused and changes nothing. */
export async function createHistory(
  { send, token }: World,
  project: string,
): Promise<(operation: RandomOperation) => Promise<void>> {
  const author = { id: 'ada', type: 'agent' };
  const agent = await token(author.id, 'agent', [project]);
  const signer = createSigner();
  const packages: string[] = [];
  const sessions: string[] = [];
  const base = `/v1/projects/${project}`;
  const pick = (list: readonly string[], n: number) => list[n % Math.max(list.length, 1)] ?? 'none';

  async function deposit(n: number, more: object = {}): Promise<void> {
    const id = `pkg ${packages.length}/ü`;
    const body = aPackage(id, {
      project_id: project,
      title: `Nº ${n}`,
      description: `text ${n}`,
      open_questions: [`What of ${n}?`],
      created_at: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
      'x-n': n / 7,
      ...more,
    });
    const reply = await send('POST', `${base}/packages`, body, { token: agent });
    if (reply.status === 201) packages.push(id);
  }

  return async ({ kind, n }) => {
    const target = pick(packages, n);
    const about = (verb: string) => `/v1/packages/${encodeURIComponent(target)}/${verb}?project=${project}`;
    const fact = { subject: `s${n % 3}`, predicate: 'is' };
    switch (kind) {
      case 'deposit':
        return deposit(n);
      case 'deposit for review':
        return deposit(n, { status: 'awaiting_review', review_type: n % 2 ? 'human' : 'agent' });
      case 'draft':
        return deposit(n, { status: 'draft' });
      case 'answer':
        return deposit(n, {
          parent_package_id: target,
          'x-resolves': [{ package_id: target, question: `What of ${n}?` }],
        });
      case 'flag':
        await send('POST', about('flag'), { review_type: n % 2 ? 'human' : 'agent', note: `look ${n}` });
        return;
      case 'approve':
        await send('POST', about('review'), { verdict: 'approve', note: `fine ${n}` });
        return;
      case 'request changes':
        await send('POST', about('review'), { verdict: 'request_changes', note: `not yet ${n}` });
        return;
      case 'complete':
        await send('POST', about('review'), { verdict: 'complete' }, { token: agent });
        return;
      case 'redact':
        await send('POST', about('redact'), { reason: `because ${n}` });
        return;
      case 'attest': {
        const found = await send('GET', `${base}/packages/${encodeURIComponent(target)}?envelope=1`);
        const statement = statementAbout(target, found.json?.body_hash ?? '', author);
        await send('POST', about('attestations'), signer.sign(statement), { token: agent });
        return;
      }
      case 'assert':
        await send('POST', `${base}/facts`, { ...fact, value: `v${n % 5}`, 'x-why': { n } });
        return;
      case 'invalidate':
        await send('DELETE', `${base}/facts?subject=${fact.subject}&predicate=is`);
        return;
      case 'start session': {
        const started = await send('POST', `${base}/sessions`, {}, { token: agent });
        if (started.json?.session_id) sessions.push(started.json.session_id);
        return;
      }
      case 'end session':
        await send('PATCH', `/v1/sessions/${pick(sessions, n)}`, {}, { token: agent });
        return;
      case 'deposit in session':
        return deposit(n, { created_by: { ...author, session_id: sessions.at(-1) ?? null } });
      case 'blob': {
        const hash = `sha256:${nodeHasher.hex(`bytes ${n}`)}`;
        await send('PUT', `${base}/blobs/${hash}`, `bytes ${n}`);
        return deposit(n, { storage_path: hash });
      }
      case 'rename project':
        await send('PATCH', base, { name: `Name ${n}`, settings: { self_review: n % 2 ? 'allow' : 'deny' } });
        return;
      case 'archive and restore':
        await send('POST', `${base}/archive`);
        if (n % 2) await send('POST', `${base}/restore`);
    }
  };
}
