export type Fields = Readonly<Record<string, string>>;

/** Only what was changed is sent: the rest stays as it was proposed. */
export function changedFields(before: Fields, after: Fields): Fields {
  return Object.fromEntries(Object.entries(after).filter(([name, text]) => text !== (before[name] ?? '')));
}

export type ReadEdits =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly why: string };

export function readJsonEdits(text: string): ReadEdits {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}
