import type { JsonDocument } from '../../../kernel/json/reader.ts';
import { canSeeProject } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Answer, Handlers } from '../../../spine/operations/handler.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { envelopeText, jsonAnswer, listText, nextLink, packageHeaders, pageAnswer } from '../answer.ts';
import type { SignDeposit } from '../attest/signed-deposit.ts';
import type { ContextParts, RecordLedger } from '../context.ts';
import { requireWanted } from '../descriptor/rules.ts';
import { contextErrors } from '../errors.ts';
import { moment } from '../moment.ts';
import { pageSize } from '../page.ts';
import { readCursor, writeCursor } from '../paging.ts';
import { selectEntries } from '../review/store.ts';
import { packageSchema } from '../schema.ts';
import type { Deposit, Deposited } from './deposit.ts';
import { completeDraft } from './draft.ts';
import { findPackage, requireReadableProject } from './find.ts';
import { checkProject, integrityFault, quarantine } from './integrity.ts';
import { ancestorsOf, descendantsOf, node } from './lineage.ts';
import { isHead, selectBacklinks, selectHeads, selectParents, selectRefs } from './link-store.ts';
import { type PackageFilter, selectLatest, selectVisible } from './list-store.ts';
import type { packageOperations } from './operations.ts';
import { redact } from './redact.ts';
import { PACKAGES } from './searchable.ts';
import { selectPackage } from './store.ts';
import { packageText, type StoredPackage } from './stored-package.ts';

type ListQuery = Parameters<Handlers<typeof packageOperations>['packages.list']>[0]['input']['query'];

const USUAL_PAGE = 5;

export function createPackageHandlers(
  parts: ContextParts,
  deposit: Deposit,
  record: RecordLedger,
  sign: SignDeposit,
): Handlers<typeof packageOperations> {
  const { db, hasher, search } = parts;

  async function rendered(reader: Reader, stored: StoredPackage, envelope: boolean, score?: number) {
    if (!envelope) return packageText(stored);
    const reviews = await selectEntries(reader, stored);
    return envelopeText(stored, { reviews, ...(score !== undefined && { score }) });
  }

  /** One package, checked against its hash as it goes out. */
  async function one(
    find: (reader: Reader) => Promise<StoredPackage>,
    envelope: boolean,
    known: string | undefined,
  ): Promise<Answer<never>> {
    const { stored, text } = await db.read(async (reader) => {
      const found = await find(reader);
      if (found.tombstone !== null && !envelope) {
        throw contextErrors.package_redacted({ details: JSON.parse(found.tombstone) });
      }
      return { stored: found, text: await rendered(reader, found, envelope) };
    });
    const fault = integrityFault(hasher, stored);
    if (fault !== undefined && !stored.quarantined) await quarantine(db, stored);
    const headers = packageHeaders(stored);
    if (fault !== undefined) headers['relay-integrity'] = 'mismatch';
    const unchanged =
      known !== undefined &&
      fault === undefined &&
      known.split(/\s*,\s*/).includes(`"${stored.contentHash}"`);
    return unchanged && !envelope ? jsonAnswer('', headers, 304) : jsonAnswer(text, headers);
  }

  async function list(principal: Principal, projectId: string, query: ListQuery, path: string) {
    const { mode = query.query ? 'relevant' : query.package_id ? 'specific' : 'latest', envelope = false } =
      query;
    if (mode === 'specific') return specific(principal, projectId, query);
    if (mode === 'relevant') return relevant(principal, projectId, query);
    const limit = pageSize(query.limit, USUAL_PAGE);
    const filter: PackageFilter = {
      projectId,
      seenBy: principal.actor,
      limit: limit + 1,
      before: query.cursor === undefined ? undefined : readCursor(query.cursor),
      status: query.status,
      packageType: query.package_type,
      author: query.author,
      sessionId: query.session_id,
      callsign: query.callsign,
      sinceMicros: moment(query.since),
      untilMicros: moment(query.until),
      minSignificance: query.min_significance,
    };
    const { texts, last } = await db.read(async (reader) => {
      await requireReadableProject(reader, principal, projectId);
      const found = await selectLatest(reader, filter);
      const shown = found.slice(0, limit);
      const pages: string[] = [];
      for (const stored of shown) pages.push(await rendered(reader, stored, envelope));
      return { texts: pages, last: found.length > limit ? shown.at(-1) : undefined };
    });
    const link = last && nextLink(path, query, writeCursor({ micros: last.createdMicros, seq: last.seq }));
    return pageAnswer(texts, link);
  }

  async function specific(principal: Principal, projectId: string, query: ListQuery) {
    const packageId = query.package_id;
    if (packageId === undefined) {
      throw contextErrors.invalid_schema({
        message: 'Which package? Give package_id.',
        pointer: '/package_id',
      });
    }
    const answer = await one(
      (reader) => findPackage(reader, principal, packageId, projectId),
      query.envelope ?? false,
      undefined,
    );
    return answer;
  }

  async function relevant(principal: Principal, projectId: string, query: ListQuery) {
    if (!query.query) {
      throw contextErrors.invalid_schema({ message: 'What is looked for? Give query.', pointer: '/query' });
    }
    await db.read((reader) => requireReadableProject(reader, principal, projectId));
    const limit = pageSize(query.limit, USUAL_PAGE);
    const asOf = moment(query.until);
    const hits = await search.searchIn(db, {
      projectId,
      collections: [PACKAGES],
      query: query.query,
      // Some of what is found may not be shown, or may be filtered out below.
      limit: Math.min(limit * 3, 200),
      filter: {
        attributes: {
          ...(query.package_type !== undefined && { package_type: query.package_type }),
          ...(query.author !== undefined && { author: query.author }),
        },
      },
      ...(asOf !== undefined && { asOf }),
    });
    const scores = new Map(hits.map((hit) => [hit.id, hit.score]));
    const texts = await db.read(async (reader) => {
      const found = await selectVisible(reader, projectId, [...scores.keys()], principal.actor);
      const least = query.min_significance ?? 0;
      const since = moment(query.since) ?? Number.NEGATIVE_INFINITY;
      const shown = found
        .filter((stored) => stored.significance >= least && stored.createdMicros >= since)
        .slice(0, limit);
      const pages: string[] = [];
      for (const stored of shown) {
        pages.push(await rendered(reader, stored, query.envelope ?? false, scores.get(stored.packageId)));
      }
      return pages;
    });
    return jsonAnswer(listText(texts));
  }

  function answerDeposit({ stored, created, secrets }: Deposited, unsigned?: string): Answer<never> {
    const found = secrets.map(({ kind, pointer }) => `${encodeURI(pointer)} (${kind})`).join(', ');
    const warnings = [...(found ? [`possible secrets at ${found}`] : []), ...(unsigned ? [unsigned] : [])];
    const headers = packageHeaders(stored);
    if (warnings.length > 0) headers['relay-warning'] = warnings.join('; ').slice(0, 1000);
    return jsonAnswer(packageText(stored), headers, created ? 201 : 200);
  }

  return {
    'packages.deposit': async (uow, { input, document, principal }) => {
      requireWanted(input.headers['relay-want']);
      const deposited = await deposit(uow, {
        projectId: input.path.project_id,
        document: document as JsonDocument,
        view: input.body,
        principal,
        claimedHash: input.headers['relay-content-hash'],
        ifHead: input.headers['relay-if-head'],
        allowSecrets: input.headers['relay-allow-secrets'],
      });
      const { 'relay-attestation': attestation } = input.headers;
      return answerDeposit(deposited, await sign(uow, deposited, attestation, principal));
    },

    'packages.write': async (uow, { input, document, principal }) => {
      const whole = completeDraft(document as JsonDocument, input.body, principal, parts);
      const checked = packageSchema.safeParse(whole.view);
      if (!checked.success) {
        const issue = checked.error.issues[0];
        throw contextErrors.invalid_schema({
          message: issue?.message ?? 'The package does not fit.',
          pointer: `/${issue?.path.map(String).join('/') ?? ''}`,
        });
      }
      const deposited = await deposit(uow, {
        projectId: checked.data.project_id,
        document: whole.document,
        view: checked.data,
        principal,
      });
      return answerDeposit(deposited, await sign(uow, deposited, undefined, principal));
    },

    'packages.list': async ({ input, principal }) => {
      requireWanted(input.headers['relay-want']);
      const { project_id } = input.path;
      return list(
        principal,
        project_id,
        input.query,
        `/v1/projects/${encodeURIComponent(project_id)}/packages`,
      );
    },

    'packages.pull': async ({ input, principal }) =>
      list(principal, input.query.project ?? principal.defaultProject, input.query, '/v1/pull'),

    'packages.get': async ({ input, principal }) =>
      one(
        (reader) => findPackage(reader, principal, input.path.package_id, input.query.project),
        input.query.envelope ?? false,
        input.headers['if-none-match'],
      ),

    'packages.find': async ({ input, principal }) =>
      one(
        (reader) => findPackage(reader, principal, input.query.id, input.query.project),
        input.query.envelope ?? false,
        input.headers['if-none-match'],
      ),

    'packages.get_in': async ({ input, principal }) =>
      one(
        (reader) => findPackage(reader, principal, input.path.package_id, input.path.project_id),
        input.query.envelope ?? false,
        input.headers['if-none-match'],
      ),

    'packages.lineage': async (reader, { input, principal }) => {
      const stored = await findPackage(reader, principal, input.path.package_id, input.query.project);
      const descendants = await descendantsOf(reader, stored);
      return {
        body: {
          package: node(stored, await selectParents(reader, stored)),
          ancestors: await ancestorsOf(reader, stored),
          descendants: descendants.map((found) => node(found.stored, found.parents)),
          head: await isHead(reader, stored),
        },
      };
    },

    'packages.heads': async (reader, { input, principal }) => {
      const { project_id: projectId } = input.path;
      await requireReadableProject(reader, principal, projectId);
      const { root, limit = 50 } = input.query;
      if (root === undefined) {
        const heads = await selectHeads(reader, projectId, limit);
        return jsonAnswer(listText(heads.map(packageText)));
      }
      const start = await findPackage(reader, principal, root, projectId);
      const line = [start, ...(await descendantsOf(reader, start)).map(({ stored }) => stored)];
      const heads: StoredPackage[] = [];
      for (const stored of line) if (await isHead(reader, stored)) heads.push(stored);
      return jsonAnswer(listText(heads.slice(0, limit).map(packageText)));
    },

    'packages.refs': async (reader, { input, principal }) => {
      const stored = await findPackage(reader, principal, input.path.package_id, input.query.project);
      const refs: Record<string, unknown>[] = [];
      for (const ref of await selectRefs(reader, stored)) {
        const target = canSeeProject(principal, ref.targetProject)
          ? await selectPackage(reader, ref.targetProject, ref.targetId)
          : undefined;
        const shown = target && target.status !== 'draft' && target.tombstone === null;
        // Forbidden and missing look the same.
        refs.push({
          rel: ref.rel,
          project_id: ref.targetProject,
          package_id: ref.targetId,
          state: shown ? 'available' : 'unavailable',
          ...(shown && { title: target.title, content_hash: target.contentHash }),
          ...(shown && ref.targetHash !== null && { pinned: ref.targetHash === target.contentHash }),
        });
      }
      return { body: { refs, backlinks: await selectBacklinks(reader, stored, principal.projects) } };
    },

    'packages.redact': async ({ input, principal }) => {
      const tombstone = await db.write(async (uow) => {
        const stored = await findPackage(uow, principal, input.path.package_id, input.query.project);
        return redact(parts, record, uow, stored, { principal, reason: input.body.reason });
      });
      // Rewrites the file, so that nothing of the content is left in free pages.
      await db.compact();
      return jsonAnswer(tombstone);
    },

    'packages.integrity': async ({ input, principal }) => {
      await db.read((reader) => requireReadableProject(reader, principal, input.path.project_id));
      return { body: await checkProject(db, hasher, input.path.project_id) };
    },
  };
}
