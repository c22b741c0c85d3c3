import type { JsonDocument } from '../../../kernel/json/reader.ts';
import type { Answer, Handlers } from '../../../spine/operations/handler.ts';
import { requireReadableProject } from '../access.ts';
import { INDEXED_IN_PART, jsonAnswer, listText, packageHeaders, withLeftOut } from '../answer.ts';
import type { SignDeposit } from '../attest/signed-deposit.ts';
import { requireSupported } from '../descriptor/rules.ts';
import type { ContextDeps } from '../ports.ts';
import type { Deposit, DepositResult } from './deposit.ts';
import type { DepositDraft } from './draft.ts';
import { findPackage } from './find.ts';
import { checkProject } from './integrity.ts';
import { headsOf, lineageOf, referencesOf } from './lineage.ts';
import { createListPackages } from './list.ts';
import { selectWhole } from './list-store.ts';
import type { packageOperations } from './operations.ts';
import { quarantinePackages } from './quarantine.ts';
import { createReadPackage } from './read.ts';
import { redact } from './redact.ts';
import { selectHead, selectQuarantined } from './store.ts';
import { packageText } from './stored-package.ts';

const MOST_QUARANTINED = 1_000;

export interface PackageHandlerDeps extends ContextDeps {
  readonly deposit: Deposit;
  readonly depositDraft: DepositDraft;
  readonly sign: SignDeposit;
}

export function createPackageHandlers(deps: PackageHandlerDeps): Handlers<typeof packageOperations> {
  const { db, hasher, compaction, deposit, depositDraft, sign } = deps;
  const read = createReadPackage(deps);
  const list = createListPackages(deps, read);

  return {
    'packages.deposit': async (uow, { input, document, principal }) => {
      requireSupported(input.headers['relay-want']);
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
      return depositAnswer(deposited, await sign(uow, deposited, attestation, principal));
    },

    'packages.write': async (uow, { input, document, principal }) => {
      const deposited = await depositDraft(uow, { document, draft: input.body, principal });
      return depositAnswer(deposited, await sign(uow, deposited, undefined, principal));
    },

    'packages.list': async ({ input, principal }) => {
      requireSupported(input.headers['relay-want']);
      const { project_id: projectId } = input.path;
      const path = `/v1/projects/${encodeURIComponent(projectId)}/packages`;
      return list({ principal, projectId, query: input.query, path });
    },

    'packages.pull': ({ input: { query }, principal }) =>
      list({ principal, projectId: query.project ?? principal.defaultProject, query, path: '/v1/pull' }),

    'packages.get': ({ input: { path, query, headers }, principal }) =>
      read({ principal, packageId: path.package_id, projectId: query.project }, query, headers),

    'packages.find': ({ input: { query, headers }, principal }) =>
      read({ principal, packageId: query.id, projectId: query.project }, query, headers),

    'packages.get_in': ({ input: { path, query, headers }, principal }) =>
      read({ principal, packageId: path.package_id, projectId: path.project_id }, query, headers),

    'packages.lineage': async (reader, { input, principal }) => {
      const stored = await findPackage(reader, principal, input.path.package_id, input.query.project);
      return { body: { ...(await lineageOf(reader, stored)) } };
    },

    'packages.heads': async (reader, { input, principal }) => {
      const { project_id: projectId } = input.path;
      const { root, limit = 50 } = input.query;
      await requireReadableProject(reader, principal, projectId);
      const found = root === undefined ? undefined : await findPackage(reader, principal, root, projectId);
      const start = found && (await selectHead(reader, projectId, found.packageId));
      const heads = await headsOf(reader, projectId, start, limit);
      const whole = await selectWhole(reader, heads);
      return jsonAnswer(listText(whole.map(packageText)), withLeftOut(heads.length - whole.length));
    },

    'packages.refs': async (reader, { input, principal }) => {
      const stored = await findPackage(reader, principal, input.path.package_id, input.query.project);
      return { body: { ...(await referencesOf(reader, principal, stored)) } };
    },

    'packages.redact': async ({ input, principal }) => {
      const { tombstone, key } = await db.write(async (uow) => {
        const stored = await findPackage(uow, principal, input.path.package_id, input.query.project);
        const by = { by: principal.actor, reason: input.body.reason };
        return { tombstone: await redact(uow, deps, stored, by), key: await compaction.due(uow) };
      });
      // Rewrites the file, so that no free page keeps any of the content.
      const remains = await compaction.now(key);
      const answer = jsonAnswer(tombstone);
      if (remains.length === 0) return answer;
      const warning = `bytes are left (${remains.join(', ')}) until others let go of the store`;
      return { ...answer, headers: { ...answer.headers, 'relay-warning': warning } };
    },

    'packages.quarantine': async (uow, { input, principal }) => {
      const { project_id: projectId } = input.path;
      await requireReadableProject(uow, principal, projectId);
      const { package_ids: packageIds, release = false } = input.body;
      return { body: await quarantinePackages(uow, deps, principal, { projectId, packageIds, release }) };
    },

    'packages.quarantined': async (reader, { input, principal }) => {
      const { project_id: projectId } = input.path;
      await requireReadableProject(reader, principal, projectId);
      return {
        body: { packages: await selectQuarantined(reader, projectId, principal.actor, MOST_QUARANTINED) },
      };
    },

    'packages.integrity': async ({ input, principal }) => {
      await db.read((reader) => requireReadableProject(reader, principal, input.path.project_id));
      return { body: await checkProject(db, hasher, input.path.project_id) };
    },
  };
}

function depositAnswer(
  { stored, created, secrets, indexedWhole }: DepositResult,
  unsigned?: string,
): Answer<never> {
  const found = secrets.map(({ kind, pointer }) => `${encodeURI(pointer)} (${kind})`).join(', ');
  const warnings = [
    ...(found ? [`possible secrets at ${found}`] : []),
    ...(unsigned ? [unsigned] : []),
    ...(indexedWhole ? [] : [INDEXED_IN_PART]),
  ];
  const headers = packageHeaders(stored);
  if (warnings.length > 0) headers['relay-warning'] = warnings.join('; ').slice(0, 1000);
  return jsonAnswer(packageText(stored), headers, created ? 201 : 200);
}
