import { asRecord, asStrings } from '../../../kernel/json/loose.ts';
import { memberAt, removeMember, setMember } from './json-edit.ts';
import { type EntryFormat, SERVER_NAME, type ServerEntry } from './server-entry.ts';

/** Server entries as members of one object: what most editors read. */
export const jsonEntries: EntryFormat = {
  put(text, section, members) {
    const start = text.trim() === '' ? '{}\n' : text;
    if (memberAt(start, [section, SERVER_NAME]) === undefined) {
      return setMember(start, [section, SERVER_NAME], members);
    }
    return Object.entries(members).reduce(
      (edited, [key, value]) => setMember(edited, [section, SERVER_NAME, key], value),
      start,
    );
  },
  take(text, section, dropSection) {
    if (text.trim() === '') return text;
    const left = removeMember(text, [section, SERVER_NAME]);
    const empty = JSON.stringify(memberAt(left, [section])) === '{}';
    return dropSection && empty ? removeMember(left, [section]) : left;
  },
  read(text, section) {
    const entry = text.trim() === '' ? undefined : memberAt(text, [section, SERVER_NAME]);
    return entryOf(entry);
  },
  hasSection: (text, section) => text.trim() !== '' && memberAt(text, [section]) !== undefined,
  isEmpty: (text) => /^\s*(\{\s*\})?\s*$/.test(text),
};

/** Some clients write the program and its arguments as one list. */
function entryOf(value: unknown): ServerEntry | undefined {
  const { command, args } = asRecord(value);
  if (Array.isArray(command)) {
    const [program, ...rest] = asStrings(command);
    return program === undefined ? undefined : { command: program, args: rest };
  }
  return typeof command === 'string' && Array.isArray(args) ? { command, args: asStrings(args) } : undefined;
}
