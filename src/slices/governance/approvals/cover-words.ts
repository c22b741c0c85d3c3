import type { Choice } from '../../../spine/inbox/item.ts';
import type { GrantCovers } from './grant-rules.ts';

export interface Covered {
  readonly agentId: string;
  readonly actionIds: readonly string[];
  readonly mayDiffer: readonly string[];
}

/** What a yes allows, in the words that the inbox, the command line and the page show. */
export function coverWords(covers: GrantCovers, covered: Covered): string {
  const { agentId } = covered;
  const actions = listed(covered.actionIds, 'or');
  switch (covers) {
    case 'call':
      return `This call of ${listed(covered.actionIds, 'and')}, once, ${sameParameters(covered)}`;
    case 'action':
      return `One call of ${actions}, whatever its parameters: they are not known yet`;
    case 'session':
      return `Every call of ${actions} in this session until it expires, ${anyParameters(covered)}`;
    case 'rule':
      return `A rule: every call of ${actions} by ${agentId}, in every session, ${anyParameters(covered)}, until it is revoked or the Atlas changes`;
  }
}

export function choicesOf(permits: readonly GrantCovers[], covered: Covered): Choice[] {
  return permits.map((id) => ({ id, words: coverWords(id, covered) }));
}

function sameParameters({ mayDiffer }: Covered): string {
  return mayDiffer.length === 0
    ? 'with exactly these parameters'
    : `with these parameters, of which only ${listed(mayDiffer, 'and')} may differ`;
}

function anyParameters(covered: Covered): string {
  return covered.mayDiffer.length === 0 ? 'also with other parameters' : sameParameters(covered);
}

function listed(names: readonly string[], word: 'and' | 'or'): string {
  return names.length < 2
    ? names.join()
    : `${names.slice(0, -1).join(', ')} ${word} ${names[names.length - 1]}`;
}
