/** What a file is that a Baton server or its command line wrote, told from its content and never from its name. */
import { CONSISTENCY_FORMAT } from '../../../src/kernel/consistency-proof.ts';
import { PROOF_FORMAT } from '../../../src/kernel/proof-bundle.ts';
import { WHY_PROOF_FORMATS } from '../../../src/kernel/why-proof.ts';

export type FileKind =
  /** One event, proved: `journal prove`. */
  | 'proof'
  /** An explanation with a proof of every step: `why --proof`. */
  | 'why'
  /** That a later log continues an earlier one: `journal consistency`. */
  | 'consistency'
  /** Events one a line: a trace, or a ledger. */
  | 'chain'
  /** The signed head of the journal, as a note or as JSON: `journal checkpoint`. */
  | 'checkpoint'
  /** Every governed file of a repository in one document: `run export`. */
  | 'run-export'
  /** What an exported project consists of: `export`. */
  | 'manifest'
  /** Lines of an exported project, which only their manifest can vouch for. */
  | 'export-lines'
  | 'unknown';

const MANIFEST_FORMAT = 'agentic-export/1';

export function kindOfFile(text: string): FileKind {
  const document = parsed(text);
  if (document !== undefined) return kindOfDocument(document);
  if (isNote(text)) return 'checkpoint';
  return kindOfLines(text);
}

function kindOfDocument(document: unknown): FileKind {
  const { format, export_kind, files, note, verifier_key, ...rest } = membersOf(document);
  if (format === PROOF_FORMAT) return 'proof';
  if (WHY_PROOF_FORMATS.some((known) => known === format)) return 'why';
  if (format === CONSISTENCY_FORMAT) return 'consistency';
  if (format === MANIFEST_FORMAT) return 'manifest';
  if (export_kind === 'governed_run' && typeof files === 'object' && files !== null) return 'run-export';
  if (typeof note === 'string' && typeof verifier_key === 'string') return 'checkpoint';
  return kindOfLine(rest);
}

/** All lines of a file are of one kind, so the first says which. */
function kindOfLines(text: string): FileKind {
  const first = text.split('\n').find((line) => line.trim() !== '');
  const document = first === undefined ? undefined : parsed(first);
  return document === undefined ? 'unknown' : kindOfLine(membersOf(document));
}

function kindOfLine(line: Readonly<Record<string, unknown>>): FileKind {
  const has = (...names: string[]) => names.every((name) => typeof line[name] === 'string');
  if (has('event_hash', 'previous_event_hash', 'event_type', 'session_id')) return 'chain';
  const exported =
    (has('package_id') &&
      (has('relay_version') || has('deposit_hash') || has('entry_hash') || has('reason'))) ||
    has('fact_id', 'project_id') ||
    has('project_id', 'name', 'created_at') ||
    has('session_id', 'actor_id', 'started_at');
  return exported ? 'export-lines' : 'unknown';
}

const SIGNATURE = /\n\n(?:\u2014 [^\s+]+ [A-Za-z0-9+/]+={0,2}\n)+$/u;

function isNote(text: string): boolean {
  return SIGNATURE.test(text) && /^[^\n]+\n(?:0|[1-9][0-9]*)\n/.test(text);
}

function membersOf(document: unknown): Readonly<Record<string, unknown>> {
  return typeof document === 'object' && document !== null && !Array.isArray(document)
    ? (document as Record<string, unknown>)
    : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
