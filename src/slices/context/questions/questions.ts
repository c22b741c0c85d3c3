import { digestOf, formatDigest } from '../../../kernel/digest.ts';
import { prefixedId } from '../../../kernel/ids.ts';
import { insider } from '../../../spine/identity/on-behalf.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { InboxItem } from '../../../spine/inbox/item.ts';
import { credentialName } from '../../../spine/inbox/rules.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { requireReadableProject } from '../access.ts';
import { contextErrors } from '../errors.ts';
import type { DepositDraft } from '../packages/draft.ts';
import { selectPackage } from '../packages/store.ts';
import { packageText, type StoredPackage } from '../packages/stored-package.ts';
import type { ContextDeps } from '../ports.ts';
import type { Package } from '../schema.ts';
import { answerIn, choicesFor, questionView, titleOf } from './rules.ts';
import type { NewQuestion, QuestionView } from './schema.ts';

const QUESTION_KIND = 'question';

/** What the inbox knows a question by. */
export function questionOf({ projectId, packageId }: Pick<StoredPackage, 'projectId' | 'packageId'>) {
  return { projectId, kind: QUESTION_KIND, subject: { type: 'package', id: packageId } };
}

export interface Questions {
  ask(uow: UnitOfWork, principal: Principal, asked: NewQuestion): Promise<QuestionView>;
  read(reader: Reader, principal: Principal, projectId: string, questionId: string): Promise<QuestionView>;
}

/**
 * A question is a package with one open question, and an item in the inbox. The answer is a package of the person that
 * resolves it, so that whoever orients or searches later finds it too.
 */
export function createQuestions(deps: ContextDeps, depositDraft: DepositDraft): Questions {
  const { inbox, hasher, random } = deps;

  async function itemOf(reader: Reader, about: Pick<StoredPackage, 'projectId' | 'packageId'>) {
    const { kind, subject } = questionOf(about);
    const filter = { projects: [about.projectId], kind, subject, limit: 1 };
    for (const state of ['open', 'applied', 'superseded', 'expired', 'decided', 'failed'] as const) {
      const [item] = await inbox.list(reader, { ...filter, state });
      if (item) return item;
    }
    return undefined;
  }

  async function answered(uow: UnitOfWork, item: InboxItem, answer: string): Promise<void> {
    const { projectId, subject, decision } = item;
    const stored = await selectPackage(uow, projectId, subject.id);
    if (!stored || !decision) return;
    const question = questionIn(stored);
    await depositDraft(uow, {
      principal: insider({ actor: decision.decidedBy, projectId }),
      draft: {
        project: projectId,
        title: titleOf(`Answer: ${question}`),
        description: answer,
        decisions_made: [answer],
        package_type: 'decision',
        parent_package_id: subject.id,
        'x-resolves': [{ package_id: subject.id, question }],
      },
    });
  }

  inbox.register(QUESTION_KIND, {
    apply: 'rows',
    async run(uow, item, made) {
      const answer = answerIn(item.choices, made);
      if (made.decision === 'reject') return;
      if (answer === undefined) throw contextErrors.answer_missing({ pointer: '/note' });
      await answered(uow, { ...item, decision: made }, answer);
    },
    async describe(reader, item) {
      const stored = await selectPackage(reader, item.projectId, item.subject.id);
      if (!stored || stored.tombstone !== null) return undefined;
      const { description } = viewOf(stored);
      return { question: questionIn(stored), ...(description && { details: description }) };
    },
  });

  return {
    async ask(uow, principal, asked) {
      const { question, details, options = [], project, session_id } = asked;
      const { stored } = await depositDraft(uow, {
        principal,
        draft: {
          package_id: prefixedId('pkg', random),
          title: titleOf(question),
          open_questions: [question],
          package_type: 'question',
          estimated_next_actor: 'human',
          ...(details !== undefined && { description: details }),
          ...(project !== undefined && { project }),
          ...(session_id !== undefined && { session_id }),
        },
      });
      const choices = choicesFor(options);
      const item = await inbox.openItem(uow, {
        ...questionOf(stored),
        requestedBy: principal.actor,
        requestedWith: credentialName(principal),
        digest: formatDigest(
          digestOf(hasher, 'jcs', {
            project_id: stored.projectId,
            package_id: stored.packageId,
            body_hash: stored.bodyHash,
            options: [...options],
          }),
        ),
        rule: 'question',
        title: stored.title,
        risk: 'low',
        edits: false,
        choices,
      });
      return questionView(stored.packageId, question, item);
    },

    async read(reader, principal, projectId, questionId) {
      await requireReadableProject(reader, principal, projectId);
      const stored = await selectPackage(reader, projectId, questionId);
      const item = stored && (await itemOf(reader, stored));
      if (!stored || !item) throw contextErrors.question_not_found({ details: { question_id: questionId } });
      const question = stored.tombstone === null ? questionIn(stored) : '';
      return questionView(questionId, question, item);
    },
  };
}

function viewOf(stored: StoredPackage): Package {
  return JSON.parse(packageText(stored)) as Package;
}

function questionIn(stored: StoredPackage): string {
  return viewOf(stored).open_questions?.[0] ?? stored.title;
}
