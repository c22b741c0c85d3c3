import { BatonError } from '../../kernel/error.ts';
import { deliveryMigrations } from '../../slices/delivery/migrations.ts';
import { deliveryOperations } from '../../slices/delivery/operations.ts';
import type { DecisionFact, TurnPackage } from '../../slices/delivery/ports.ts';
import { createDelivery } from '../../slices/delivery/slice.ts';
import { bind } from '../../spine/dispatch/registry.ts';
import { describeError } from '../log.ts';
import { needed } from '../offers.ts';
import type { Slice } from '../slice.ts';
import { VERSION } from '../version.ts';

/** Who works next, under which gate: AgentXchain. */
export const deliverySlice: Slice = {
  migrations: deliveryMigrations,
  compose({ db, clock, random, hasher, identity, inbox, log }, offers) {
    const deposit = needed(offers, 'deposit');
    const assertFact = needed(offers, 'assertFact');
    const retractFact = needed(offers, 'retractFact');
    const resolve = needed(offers, 'resolve');
    const askPeer = needed(offers, 'askPeer');
    const delivery = createDelivery({
      db,
      clock,
      random,
      hasher,
      version: VERSION,
      ports: {
        inbox,
        record: identity.record,
        async deposit(uow, turn) {
          const by = { projectId: turn.projectId, actor: turn.author };
          await unlessArchived(() =>
            deposit(uow, by, packageOf(turn)).catch((error) => {
              if (!isRefusal(error, 'secret_found')) throw error;
              return deposit(uow, by, withoutWords(turn));
            }),
          );
        },
        async assertFact(uow, fact) {
          const by = { projectId: fact.projectId, actor: fact.author };
          const key = { subject: fact.key, predicate: 'states' };
          const { statement } = fact;
          await unlessArchived(() =>
            statement === null
              ? retractFact(uow, by, key)
              : assertFact(uow, by, { ...key, value: statement, ...sourceOf(fact) }),
          );
        },
        resolve: ({ projectId, actor, runId, goal }) =>
          resolve({ projectId, actor }, { session: `${runId}/${actor.id}`, goal }),
        askPeer: ({ projectId, actor, peer, text, role, runId }, signal) =>
          askPeer({ projectId, actor }, { to: peer, text, as: `role:${role}`, context: runId }, signal),
      },
    });
    return {
      operations: bind(deliveryOperations, delivery.handlers),
      jobs: delivery.jobs,
      upkeep: () =>
        delivery.catchUp((repositoryId, error) =>
          log.warn({ repositoryId, error: describeError(error) }, 'a governed repository cannot be followed'),
        ),
    };
  },
};

const TITLE_CHARACTERS = 200;

function packageOf(turn: TurnPackage): Record<string, unknown> {
  const title = [...`${turn.role}: ${turn.summary.split('\n')[0]}`];
  return {
    ...withoutWords(turn),
    title:
      title.length > TITLE_CHARACTERS ? `${title.slice(0, TITLE_CHARACTERS - 1).join('')}…` : title.join(''),
    description: turn.summary,
    decisions_made: turn.decisions.map(
      ({ id, statement, rationale }) => `${id}: ${statement}. Reason: ${rationale}`,
    ),
    open_questions: turn.objections
      .filter(({ status }) => !status?.startsWith('resolved'))
      .map(({ id, statement }) => `${id}: ${statement}`),
    'x-verification': turn.verification,
  };
}

/** What a project that takes no secrets is told of a turn that seems to hold one. */
function withoutWords(turn: TurnPackage): Record<string, unknown> {
  return {
    package_id: turn.key.replaceAll('/', '.'),
    title: `${turn.role} finished a turn in ${turn.phase}`.slice(0, TITLE_CHARACTERS),
    created_at: turn.acceptedAt,
    tags: ['run', turn.phase, turn.role],
    deliverables: turn.files.map((path) => ({ path, type: /\.(\w+)$/.exec(path)?.[1] ?? 'file' })),
    'x-run': { run_id: turn.runId, turn_id: turn.turnId, phase: turn.phase, status: turn.status },
  };
}

/** The key is `decision/<repository>/<id>`; the turn that decided it is a package of that repository. */
function sourceOf({ key, turnId, runId, rationale }: DecisionFact): Record<string, unknown> {
  return {
    source_package_id: `${key.split('/')[1]}.${turnId}`,
    tags: ['decision', runId],
    ...(rationale !== '' && { 'x-rationale': rationale }),
  };
}

/** The journal goes on for an archived project; what people work with does not. */
async function unlessArchived(work: () => Promise<void>): Promise<void> {
  await work().catch((error) => {
    if (!isRefusal(error, 'project_archived')) throw error;
  });
}

function isRefusal(error: unknown, code: string): boolean {
  return error instanceof BatonError && error.code === code;
}
