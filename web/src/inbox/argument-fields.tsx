import { useQuery } from '@tanstack/react-query';
import { TextArea, TextField } from '../ui/field.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { approvalQuery, type Parameters } from './content/approval-query.ts';
import type { InboxItem } from './queries.ts';

const FIELD = 'argument ';

/** The arguments of the call, to be changed one by one; what was no text stays what it was. */
export function ArgumentFields({ item }: { item: InboxItem }) {
  const query = useQuery(approvalQuery(item.id));
  return (
    <QueryView query={query} rows={3}>
      {({ parameters }) => (
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-2 font-medium text-small">Approve this call instead, once</legend>
          {Object.entries(parameters ?? {}).map(([name, value]) =>
            typeof value === 'object' && value !== null ? (
              <TextArea
                key={name}
                label={name}
                name={FIELD + name}
                rows={4}
                spellCheck={false}
                hint="JSON"
                defaultValue={JSON.stringify(value, null, 2)}
              />
            ) : (
              <TextField
                key={name}
                label={name}
                name={FIELD + name}
                spellCheck={false}
                defaultValue={String(value)}
                {...(typeof value === 'number' && { inputMode: 'decimal' })}
              />
            ),
          )}
          <p className="text-small text-soft">
            The agent is told what you approved. The call that it asked for stays refused.
          </p>
        </fieldset>
      )}
    </QueryView>
  );
}

/** All arguments as the form has them; undefined where none was changed. Throws a sentence where one cannot be read. */
export function argumentEdits(form: FormData, parameters: Parameters | null) {
  const before = parameters ?? {};
  const after = Object.fromEntries(
    Object.entries(before).map(([name, value]) => {
      const text = form.get(FIELD + name);
      return [name, typeof text === 'string' ? readArgument(name, value, text) : value];
    }),
  );
  return JSON.stringify(after) === JSON.stringify(before) ? undefined : { parameters: after };
}

function readArgument(name: string, before: unknown, text: string): unknown {
  if (typeof before === 'string') return text;
  if (typeof before === 'number') {
    const number = Number(text.trim());
    if (text.trim() !== '' && Number.isFinite(number)) return number;
    throw new Error(`“${name}” must stay a number.`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error(`“${name}” is not valid JSON.`);
  }
}
