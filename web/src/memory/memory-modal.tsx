import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { client } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { Modal } from '../ui/modal.tsx';
import { categoriesQuery, type KnownMemory, type MemoryType } from './queries.ts';

interface MemoryModalProps {
  readonly profile: string;
  /** Absent where it is a new one. */
  readonly known?: KnownMemory;
  readonly onClose: () => void;
  readonly onKept: (id: string) => void;
}

export const MEMORY_TYPES: readonly (readonly [MemoryType, string])[] = [
  ['semantic', 'Fact: what is true'],
  ['procedural', 'Habit: how things are done'],
  ['episodic', 'Event: what has happened'],
];
const SENSITIVITIES = ['public', 'standard', 'sensitive', 'restricted'] as const;
type Sensitivity = (typeof SENSITIVITIES)[number];

/** A memory in the person's own words. What it said before stays in its history. */
export function MemoryModal({ profile, known, onClose, onKept }: MemoryModalProps) {
  const queries = useQueryClient();
  const categories = useQuery(categoriesQuery).data ?? [];
  const keeping = useMutation({
    mutationFn: (form: FormData) => keep(profile, known, form),
    onSuccess: (id) => {
      void queries.invalidateQueries({ queryKey: ['memory'] });
      onKept(id);
    },
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    keeping.mutate(new FormData(event.currentTarget));
  }

  const memory = known?.memory;
  return (
    <Modal
      open
      onClose={onClose}
      title={known ? 'Correct this memory' : 'Add a memory'}
      description={
        known
          ? 'Agents are given the new text from now on. What it said before stays in its history until you erase it.'
          : 'In your own words. Agents see it only as far as your consent reaches.'
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextArea
          label="What to remember"
          name="content"
          required
          maxLength={4000}
          rows={3}
          defaultValue={memory?.content}
          autoFocus
        />
        <SelectField
          label="What it is"
          name="memory_type"
          defaultValue={known?.type ?? ''}
          options={known ? MEMORY_TYPES : [['', 'Find out by the text'], ...MEMORY_TYPES]}
        />
        <TextField
          label="Category"
          name="category"
          list="memory-categories"
          spellCheck={false}
          placeholder="a2p:preferences.communication"
          defaultValue={memory?.category}
        />
        <datalist id="memory-categories">
          {categories.map(({ category }) => (
            <option key={category} value={category} />
          ))}
        </datalist>
        <SelectField
          label="Sensitivity"
          name="sensitivity"
          hint="A category may ask for a higher one; that counts then."
          defaultValue={memory?.sensitivity ?? ''}
          options={[['', 'As its category'], ...SENSITIVITIES.map((each) => [each, each] as const)]}
        />
        {keeping.error && <ErrorNote error={keeping.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={keeping.isPending}>
            {known ? 'Save' : 'Remember it'}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** Only what was changed is sent; another type is another step in its history. */
async function keep(profile: string, known: KnownMemory | undefined, form: FormData): Promise<string> {
  const read = (name: string) => String(form.get(name) ?? '').trim();
  const content = read('content');
  const category = read('category');
  const sensitivity = read('sensitivity') as Sensitivity | '';
  const type = read('memory_type') as MemoryType | '';
  if (!known) {
    const { id } = await client.call('memory.add', {
      profile,
      content,
      ...(category && { category }),
      ...(sensitivity && { sensitivity }),
      ...(type && { memory_type: type }),
    });
    return id;
  }
  const { memory } = known;
  const edits = {
    ...(content !== memory.content && { content }),
    ...(category && category !== memory.category && { category }),
    ...(sensitivity && sensitivity !== memory.sensitivity && { sensitivity }),
  };
  let { id } = memory;
  if (Object.keys(edits).length > 0) ({ id } = await client.call('memory.edit', { profile, id, ...edits }));
  if (type && type !== known.type) {
    ({ id } = await client.call('memory.reclassify', { profile, id, memory_type: type }));
  }
  return id;
}
