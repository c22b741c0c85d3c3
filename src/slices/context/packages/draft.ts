import { prefixedId } from '../../../kernel/ids.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import { spliceMembers } from '../../../kernel/json/compact.ts';
import { type JsonDocument, readDocument } from '../../../kernel/json/reader.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { contextErrors } from '../errors.ts';
import type { ContextDeps } from '../ports.ts';
import { type Package, PROTOCOL_VERSION, packageSchema } from '../schema.ts';
import type { Deposit, DepositResult } from './deposit.ts';
import type { PackageDraft } from './schema.ts';

export interface DraftRequest {
  /** As it was written; absent if the draft comes from another slice. */
  readonly document?: JsonDocument | undefined;
  /** The typed view of the same document. */
  readonly draft: PackageDraft;
  readonly principal: Principal;
}

export type DepositDraft = (uow: UnitOfWork, request: DraftRequest) => Promise<DepositResult>;

/** Deposits a package after filling in the fields that have an obvious default; the rest stays as written. */
export function createDepositDraft(
  deps: Pick<ContextDeps, 'clock' | 'random'>,
  deposit: Deposit,
): DepositDraft {
  return async (uow, request) => {
    const document = complete(deps, request);
    const checked = packageSchema.safeParse(document.plain);
    if (!checked.success) {
      const issue = checked.error.issues[0];
      throw contextErrors.invalid_schema({
        message: issue?.message ?? 'The package is not valid.',
        pointer: `/${issue?.path.map(String).join('/') ?? ''}`,
      });
    }
    const view: Package = checked.data;
    return deposit(uow, { projectId: view.project_id, document, view, principal: request.principal });
  };
}

function complete(
  { clock, random }: Pick<ContextDeps, 'clock' | 'random'>,
  { draft, principal, document = readDocument(JSON.stringify(draft)) }: DraftRequest,
): JsonDocument {
  const reviewType = draft.review_type ?? 'none';
  const { id, type } = principal.actor;
  const filled: Record<string, unknown> = {
    package_id: draft.package_id ?? prefixedId('pkg', random),
    project_id: draft.project ?? draft.project_id ?? principal.defaultProject,
    relay_version: PROTOCOL_VERSION,
    status: draft.status ?? (reviewType === 'none' ? 'complete' : 'awaiting_review'),
    package_type: draft.package_type ?? 'standard',
    review_type: reviewType,
    created_at: draft.created_at ?? formatMillis(clock.now()),
    created_by: authorOf(draft) ?? { id, type, session_id: draft.session_id ?? null },
  };
  const changes = new Map<string, string | null>([
    ['project', null],
    ['session_id', null],
  ]);
  for (const [name, value] of Object.entries(filled)) {
    if (value !== (draft as Record<string, unknown>)[name]) changes.set(name, JSON.stringify(value));
  }
  return readDocument(spliceMembers(document, changes));
}

/** An author that was given without its session gets the one that was given beside it. */
function authorOf({ created_by: author, session_id: sessionId }: PackageDraft): unknown {
  const named = author as Readonly<Record<string, unknown>> | undefined;
  if (!named || sessionId === undefined || named.session_id !== undefined) return named;
  return { ...named, session_id: sessionId };
}
