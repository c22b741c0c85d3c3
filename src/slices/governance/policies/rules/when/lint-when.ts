/** Holds a condition against what the actions say of their parameters, so that a misspelt one is found before it counts. */
import { nearest } from '../../../../../kernel/nearest.ts';
import { elementsOf, mayBe, type Place, placeOf, type Schema, typesAt } from './declared.ts';
import { OPERATORS } from './operators.ts';
import { pathSteps } from './parameter-path.ts';
import type { CompiledWhen, Test } from './when.ts';

export interface PathFault {
  /** `unknown_path` and `impossible_value` never hold; of `undeclared_path` nobody can say. */
  readonly code: 'unknown_path' | 'undeclared_path' | 'impossible_value';
  readonly path: string;
  readonly message: string;
}

interface Where {
  readonly schema: Schema;
  readonly place: Place;
}

/** `schemas`: those of every action that the rule is about; an action without one accepts anything. */
export function lintWhen(when: CompiledWhen, schemas: readonly Schema[]): PathFault[] {
  const top = schemas.map((schema) => ({ schema, place: placeOf(schema, []) }));
  return lintTests(when, top);
}

/** The same for a path by itself, as limits and approvals name one. */
export function lintPath(path: string, schemas: readonly Schema[]): PathFault[] {
  const places = schemas.map((schema) => placeOf(schema, pathSteps(path)));
  return placeFaults(path, places);
}

function lintTests({ alternatives }: CompiledWhen, where: readonly Where[]): PathFault[] {
  return alternatives.flat().flatMap((test) => lintTest(test, where));
}

function lintTest(test: Test, where: readonly Where[]): PathFault[] {
  // Its form was checked when it was compiled.
  if (test.server) return [];
  const found = where.map(({ schema, place }) => ({
    schema,
    place: place.kind === 'declared' ? further(place.schemas, test.steps, schema) : place,
  }));
  const faults = placeFaults(
    test.path,
    found.map(({ place }) => place),
  );
  if (faults.length > 0) return faults;
  if (test.within) return lintTests(test.within, test.operator === 'not' ? found : found.map(elements));
  if (test.operator.endsWith('_field')) {
    const other = String(test.operand);
    return placeFaults(
      other,
      where.map(({ schema }) => placeOf(schema, pathSteps(other))),
    );
  }
  return valueFaults(test, found);
}

function further(schemas: readonly Schema[], steps: readonly string[], root: Schema): Place {
  const places = schemas.map((schema) => placeOf(schema, steps, root));
  const declared = places.flatMap((place) => (place.kind === 'declared' ? place.schemas : []));
  if (declared.length > 0) return { kind: 'declared', schemas: declared };
  const known = places.flatMap((place) => (place.kind === 'impossible' ? place.known : []));
  return places.every(({ kind }) => kind === 'impossible')
    ? { kind: 'impossible', known }
    : { kind: 'undeclared' };
}

function elements({ schema, place }: Where): Where {
  return { schema, place: place.kind === 'declared' ? elementsOf(place.schemas, schema) : place };
}

/** A rule over many actions may be about a parameter that only some have. */
function placeFaults(path: string, places: readonly Place[]): PathFault[] {
  if (places.length === 0 || places.some(({ kind }) => kind === 'declared')) return [];
  if (places.some(({ kind }) => kind === 'undeclared'))
    return [
      {
        code: 'undeclared_path',
        path,
        message: `no parameters_schema declares ${path}, so nothing checks how it is spelt`,
      },
    ];
  const known = places.flatMap((place) => (place.kind === 'impossible' ? place.known : []));
  const meant = nearest(path.split('.').at(-1) ?? path, known);
  const list = [...new Set(known)].join(', ');
  const hint = meant === undefined ? (list === '' ? '' : `: there are ${list}`) : `: did you mean ${meant}?`;
  return [{ code: 'unknown_path', path, message: `none of its actions can have ${path}${hint}` }];
}

function valueFaults({ path, operator, operand }: Test, where: readonly Where[]): PathFault[] {
  const declared = where.flatMap(({ place }) => (place.kind === 'declared' ? [place.schemas] : []));
  if (declared.length === 0 || declared.length < where.length) return [];
  const { judges } = OPERATORS[operator] ?? {};
  const types = declared.map(typesAt);
  const judged = (type: string) =>
    judges?.some((each) => each === type || (each === 'number' && type === 'integer'));
  if (judges && types.every((each) => each !== undefined && ![...each].some(judged))) {
    const are = [...new Set(types.flatMap((each) => [...(each ?? [])]))].join(' or ');
    const message = `${operator} judges values of type ${judges.join(' or ')}, and ${path} is of type ${are}`;
    return [{ code: 'impossible_value', path, message }];
  }
  const values = { eq: [operand], ne: [operand] }[operator] ?? (Array.isArray(operand) ? operand : []);
  if (!['eq', 'ne', 'in', 'not_in'].includes(operator)) return [];
  return values
    .filter((value) => declared.every((schemas) => !mayBe(schemas, value)))
    .map((value) => ({
      code: 'impossible_value' as const,
      path,
      message: `${path} can never be ${JSON.stringify(value)}`,
    }));
}
