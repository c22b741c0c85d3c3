/** Paths that begin with `@`: `@agent`, or a fact of the project as `@facts/release/frozen`. */
import { suggestion } from '../../../../../kernel/nearest.ts';
import { type FactKey, sameKey, trustedFact } from './fact-key.ts';
import { pathSteps } from './parameter-path.ts';
import { SERVER_VALUES, type ServerValue, type Surroundings, serverValue } from './surroundings.ts';

export type ServerPath = { readonly value: ServerValue } | FactKey;

const FORM = 'facts are written @facts/SUBJECT/PREDICATE';

/** What is wrong with it, if it is none. A `/` in a subject is written `~1`. */
export function parseServerPath(path: string): ServerPath | string {
  const name = path.slice(1);
  if (Object.hasOwn(SERVER_VALUES, name)) return { value: name as ServerValue };
  const [word, subject, predicate, ...more] = pathSteps(`/${name}`);
  if (word !== 'facts') {
    const known = [...Object.keys(SERVER_VALUES).map((each) => `@${each}`), '@facts'];
    return `is nothing that the server knows: ${suggestion(path, known)} A parameter of that name is /${path}`;
  }
  if (!subject || !predicate || more.length > 0) return FORM;
  return { subject, predicate };
}

/** Whether there is such a fact, or an end of it, that is not by people alone. */
export function isDisputed(key: FactKey, { facts = [] }: Surroundings): boolean {
  return facts.some((each) => sameKey(each, key));
}

/** Of facts, only the word of people counts. */
export function valueAtServer(path: ServerPath, around: Surroundings): unknown {
  if ('value' in path) return serverValue(path.value, around);
  return trustedFact(around.facts, { ...path, by: [] })?.value;
}
