import { type AppliedStep, type StepName, selectAppliedSteps } from '../../storage/migrate.ts';
import type { DerivedCheck } from './derived-slot.ts';
import type { Faults } from './report.ts';

const TABLE = 'schema_migrations';

/** The steps of the schema that the store says it was made with, against those that the program has. */
export function stepsCheck(steps: readonly StepName[]): DerivedCheck {
  return {
    tables: [TABLE],
    async run(reader, faults) {
      const applied = await selectAppliedSteps(reader);
      compareSteps(steps, applied, faults);
      return applied.length;
    },
  };
}

function compareSteps(steps: readonly StepName[], applied: readonly AppliedStep[], faults: Faults): void {
  const report = (kind: string, message: string, key: string) =>
    faults.add({ kind, message, table: TABLE, key });
  const known = new Map(steps.map(({ name, checksum }) => [name, checksum]));
  applied.forEach(({ name, checksum, position }, at) => {
    const expected = known.get(name);
    if (expected === undefined) report('derived_surplus', 'The program has no such step.', name);
    else if (expected !== checksum) report('derived_changed', 'The step is another one.', name);
    else if (position !== at) report('derived_changed', 'The step was applied in another order.', name);
    known.delete(name);
  });
  for (const name of known.keys())
    report('derived_missing', 'The step was applied, and is not listed.', name);
}
