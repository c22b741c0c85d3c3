/** A person's decision: always, or where one input has one of these values. */
export type Decides = true | { readonly input: string; readonly values: readonly unknown[] };

/** Whether a call decides for a person. Faces that agents use refuse it from a person's credential. */
export function isDecision(
  { decides }: { readonly decides?: Decides },
  flat: Readonly<Record<string, unknown>>,
): boolean {
  if (decides === undefined || decides === true) return decides === true;
  return decides.values.includes(flat[decides.input]);
}
