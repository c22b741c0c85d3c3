import { asDoc, type Doc, isDoc, isNonBlank, isText } from '../document.ts';

export interface Fixture {
  readonly fixture_id: string;
  readonly tier: number;
  readonly surface: string;
  readonly setup: Doc;
  readonly operation: string;
  readonly args: Doc;
  readonly expected: Doc;
}

/** A fixture as an adapter receives it, or what is wrong with it. */
export function readFixture(raw: unknown): Fixture | string {
  if (!isDoc(raw)) return 'A fixture is a JSON object.';
  if (!isNonBlank(raw.fixture_id)) return 'fixture_id is missing.';
  const input = asDoc(raw.input);
  if (!isText(input.operation)) return 'input.operation is missing.';
  return {
    fixture_id: raw.fixture_id,
    tier: typeof raw.tier === 'number' ? raw.tier : 0,
    surface: isText(raw.surface) ? raw.surface : '',
    setup: asDoc(raw.setup),
    operation: input.operation,
    args: asDoc(input.args),
    expected: asDoc(raw.expected),
  };
}
