import { maybeText, record } from '../api/shape.ts';
import { kindWords } from '../inbox/state-words.ts';
import { eventWords } from '../journal/event-words.ts';
import { didName } from '../ui/id-words.ts';

export interface Told {
  /** The thing itself, first. */
  readonly what: string;
  /** What became of it, and by whom. */
  readonly about: string;
}

const DECISIONS: Readonly<Record<string, string>> = {
  approve: 'Approved',
  approve_with_edits: 'Approved with edits',
  reject: 'Rejected',
};

/** What happened as somebody tells it who was there; `names` are of packages and facts, by their ids. */
export function toldWords(type: string, payload: unknown, names?: ReadonlyMap<string, string>): Told {
  const { title, gist } = eventWords(type, payload);
  const of = (member: string) => maybeText(record(payload)[member]);
  const by = of('decided_by') ?? of('actor_id') ?? of('agent_id');
  const about = (words: string) => (by === undefined ? words : `${words} by ${didName(by)}`);
  const named = names?.get(of('fact_id') ?? of('package_id') ?? '');
  switch (type) {
    case 'fact.asserted':
      if (named !== undefined)
        return { what: named, about: about(of('supersedes') ? 'Fact changed' : 'Fact') };
      break;
    case 'package.deposited':
      if (named !== undefined) return { what: named, about: about('Package') };
      break;
    case 'inbox.decided': {
      const decision = DECISIONS[of('decision') ?? ''];
      const kind = of('kind');
      if (decision && kind)
        return { what: `${decision}: ${kindWords(kind).toLowerCase()}`, about: about('Decided') };
      break;
    }
    case 'action.denied': {
      const action = of('action_id');
      if (action) return { what: action, about: `Denied by the rule ${of('policy_id') ?? 'default-deny'}` };
      break;
    }
    case 'atlas.loaded': {
      const atlas = of('atlas_id');
      if (atlas) return { what: `${atlas} ${of('version') ?? ''}`.trim(), about: 'Atlas loaded' };
      break;
    }
  }
  return { what: gist || title, about: title };
}
