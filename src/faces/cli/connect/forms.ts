import type { Editor } from './editors.ts';
import { connectErrors } from './errors.ts';
import { withExcluded, withoutExcluded } from './exclude.ts';
import type { Form } from './file-edits.ts';
import { putHooks, takeHooks } from './hook-edits.ts';
import type { HookEntries } from './hook-entries.ts';
import { withInstructions, withoutInstructions } from './instructions.ts';
import { memberAt } from './json-edit.ts';
import { appendItem, dropEmpty, removeItems } from './json-list.ts';
import { SERVER_NAME } from './server-entry.ts';

/** The server's entry among a client's MCP servers. One that another connection wrote is not ours to take. */
export function entryForm(
  editor: Editor,
  connection: string,
  members: Readonly<Record<string, unknown>>,
): Form {
  const { format, section } = editor;
  const isOurs = (text: string) => {
    const args = format.read(text, section)?.args;
    // An entry without a program is that of a server elsewhere, which only we write under this name.
    if (args === undefined) return true;
    return args.includes(connection) || args.join(' ').includes(`mcp --client ${editor.name}`);
  };
  return {
    put: (text) => format.put(text, section, members),
    take: (text, madeSection) => (isOurs(text) ? format.take(text, section, madeSection) : text),
    isEmpty: format.isEmpty,
    needsSection: (text) => !format.hasSection(text, section),
  };
}

export function hooksForm(client: string, entries: HookEntries): Form {
  return {
    put: (text) => putHooks(text, client, entries),
    take: (text) => takeHooks(text, client),
    isEmpty: (text) => /^\s*(\{\s*("version"\s*:\s*1\s*)?\})?\s*$/.test(text),
  };
}

const APPROVED = ['enabledMcpjsonServers'];

/** Claude Code asks once whether a project's servers may run; whoever connects it has answered. */
export const approvalForm: Form = {
  put(text) {
    const start = text.trim() === '' ? '{}\n' : text;
    const listed = memberAt(start, APPROVED);
    if (Array.isArray(listed) && listed.includes(SERVER_NAME)) return text;
    return appendItem(start, APPROVED, SERVER_NAME);
  },
  take(text) {
    if (text.trim() === '') return text;
    const edited = removeItems(text, APPROVED, (item) => item === SERVER_NAME);
    return edited === text ? text : dropEmpty(edited, APPROVED);
  },
  isEmpty: (text) => /^\s*(\{\s*\})?\s*$/.test(text),
};

/** A file that is ours as a whole, known by its first line. */
export function pluginForm(mark: string, content: string): Form {
  return {
    put(text) {
      if (text !== '' && !text.startsWith(mark)) {
        throw connectErrors.config_unusable({ message: 'The file is there and is not Baton’s.' });
      }
      return content;
    },
    take: (text) => (text.startsWith(mark) ? '' : text),
    isEmpty: (text) => text === '',
  };
}

export const instructionsForm: Form = {
  put: withInstructions,
  take: withoutInstructions,
  isEmpty: (text) => text.trim() === '',
};

export function excludeForm(client: string, paths: readonly string[]): Form {
  return {
    put: (text) => withExcluded(text, client, paths),
    take: (text) => withoutExcluded(text, client),
    isEmpty: (text) => text === '',
  };
}
