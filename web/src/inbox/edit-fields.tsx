import { useQuery } from '@tanstack/react-query';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { ArgumentFields } from './argument-fields.tsx';
import { batchQuery } from './content/batch-query.ts';
import { type Proposal, proposalQuery } from './content/proposal-query.ts';
import { changedFields, readJsonEdits } from './edits.ts';
import type { InboxItem } from './queries.ts';

/** `undefined`: nothing was changed. */
export type Edits = Readonly<Record<string, unknown>> | undefined;

const types = [
  ['semantic', 'Semantic: a fact'],
  ['episodic', 'Episodic: an event'],
  ['procedural', 'Procedural: a habit'],
] as const;
const sensitivities = [
  ['', 'As shown in the item'],
  ['public', 'Public'],
  ['standard', 'Standard'],
  ['sensitive', 'Sensitive'],
  ['restricted', 'Restricted'],
] as const;

/** The fields of what is proposed, to be changed before it is approved; a kind without known fields takes JSON. */
export function EditFields({ item }: { item: InboxItem }) {
  if (item.kind === 'memory_proposal') return <ProposalFields item={item} />;
  if (item.kind === 'memory_batch') return <BatchFields item={item} />;
  if (item.kind === 'carp_approval') return <ArgumentFields item={item} />;
  return (
    <TextArea
      label="Approve this instead"
      name="edits-json"
      hint="JSON in the form this kind of item expects."
      rows={6}
      spellCheck={false}
      defaultValue="{}"
    />
  );
}

const BATCH_FIELD = 'decide ';
const batchChoices = [
  ['', 'Decide later'],
  ['approve', 'Remember it'],
  ['reject', 'Do not remember it'],
] as const;

function BatchFields({ item }: { item: InboxItem }) {
  const query = useQuery(batchQuery(item));
  return (
    <QueryView query={query} rows={3}>
      {({ proposals }) => (
        <>
          {proposals.map(({ proposal_id: id, content }) => (
            <SelectField
              key={id}
              label={content}
              name={`${BATCH_FIELD}${id}`}
              options={batchChoices}
              defaultValue=""
            />
          ))}
        </>
      )}
    </QueryView>
  );
}

/** Never undefined: to leave all of them for later is no approval of all. */
function batchEditsOf(form: FormData): Edits {
  const decisions = Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      name.startsWith(BATCH_FIELD) && value !== '' ? [[name.slice(BATCH_FIELD.length), value]] : [],
    ),
  );
  if (Object.keys(decisions).length === 0) throw new Error('Decide at least one of them.');
  return { decisions };
}

function ProposalFields({ item }: { item: InboxItem }) {
  const query = useQuery(proposalQuery(item));
  return (
    <QueryView query={query} rows={3}>
      {(proposal) => (
        <>
          <TextArea
            label="To be remembered"
            name="content"
            rows={3}
            required
            defaultValue={proposal.content}
          />
          <TextField
            label="Category"
            name="category"
            spellCheck={false}
            defaultValue={proposal.category ?? ''}
          />
          <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
            <SelectField
              label="Type"
              name="memory_type"
              options={types}
              defaultValue={proposal.memory_type}
            />
            <SelectField label="Sensitivity" name="sensitivity" options={sensitivities} defaultValue="" />
          </div>
        </>
      )}
    </QueryView>
  );
}

/** What the form says beyond what was proposed. Throws a sentence where it says nothing that can be read. */
export function editsOf(item: InboxItem, form: FormData, proposal: Proposal | undefined): Edits {
  if (item.kind === 'memory_batch') return batchEditsOf(form);
  if (item.kind !== 'memory_proposal') {
    const read = readJsonEdits(String(form.get('edits-json') ?? ''));
    if (!read.ok) throw new Error(`The edits are not valid JSON: ${read.why}`);
    return read.value as Edits;
  }
  // Without what was proposed nobody knows what was changed, and an approval would be of something unseen.
  if (proposal === undefined)
    throw new Error('The proposal could not be read. Close this and open the item again.');
  const names = ['content', 'category', 'memory_type', 'sensitivity'];
  const after = Object.fromEntries(names.map((name) => [name, String(form.get(name) ?? '')]));
  const before = {
    content: proposal.content,
    category: proposal.category ?? '',
    memory_type: proposal.memory_type,
    sensitivity: '',
  };
  const changed = changedFields(before, after);
  return Object.keys(changed).length > 0 ? changed : undefined;
}
