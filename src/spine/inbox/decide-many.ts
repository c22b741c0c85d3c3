import { BatonError } from '../../kernel/error.ts';
import { fromPlain, toPlain } from '../../kernel/json/plain.ts';
import type { Principal } from '../identity/principal.ts';
import type { Database } from '../storage/database.ts';
import { inboxErrors } from './errors.ts';
import type { Inbox } from './inbox.ts';
import type { decidedManySchema, decideManySchema } from './schema.ts';
import type { ItemBody } from './shown-item.ts';
import type { ShowItems } from './who-looks.ts';

/** What is wrong with whoever asks and not with an item: where it keeps all of them, it is the answer. */
const OF_THE_CALLER: Readonly<Record<string, typeof inboxErrors.human_required>> = {
  human_required: inboxErrors.human_required,
  presence_required: inboxErrors.presence_required,
};

type Asked = (typeof decideManySchema)['_output'];
type Body = (typeof decidedManySchema)['_output'];
type Result = Body['results'][number];

/** So many units wait for the next commit at a time. */
const AT_A_TIME = 20;

/**
 * Decides many items, each in a unit of its own and by its own digest: one that has changed, or that is another's to
 * decide, is refused and keeps no other from being decided. Asked again, what was decided stays as it is.
 */
export async function decideMany(
  db: Database,
  inbox: Inbox,
  show: ShowItems,
  principal: Principal,
  { decisions, decision, note, undo_seconds: undoSeconds }: Asked,
): Promise<Body> {
  async function one({ id, digest, choice }: Asked['decisions'][number]): Promise<Result> {
    try {
      return await db.write(async (uow) => {
        const { item, repeated } = await inbox.decide(uow, {
          itemId: id,
          decision,
          digest,
          principal,
          ...(choice !== undefined && { choice }),
          ...(note !== undefined && { note }),
          ...(undoSeconds !== undefined && { undoSeconds }),
        });
        const [body] = await show(uow, [item], principal);
        return { id, outcome: repeated ? 'repeated' : 'decided', item: body as ItemBody };
      });
    } catch (error) {
      if (!(error instanceof BatonError)) throw error;
      return { id, outcome: 'refused', error: faultOf(error) };
    }
  }

  const results: Result[] = [];
  for (let at = 0; at < decisions.length; at += AT_A_TIME) {
    results.push(...(await Promise.all(decisions.slice(at, at + AT_A_TIME).map(one))));
  }
  const refused = results.filter(({ outcome }) => outcome === 'refused').length;
  const [why, ...others] = new Set(results.map(({ error }) => error?.code));
  const fault = others.length === 0 ? OF_THE_CALLER[why ?? ''] : undefined;
  if (fault) throw fault();
  return { decided: results.length - refused, refused, results };
}

function faultOf({ code, message, next, details }: BatonError): NonNullable<Result['error']> {
  const told = details && (toPlain(fromPlain(details)) as NonNullable<Result['error']>['details']);
  return { code, message, next, ...(told && { details: told }) };
}
