/** What was written down for agents: the instruction files of a repository, and what Claude Code remembers of it. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Transcript, TranscriptEntry } from '../../slices/agents/transcripts/transcript.ts';
import { withoutInstructions } from './connect/instructions.ts';

const INSTRUCTIONS = ['CLAUDE.md', 'CLAUDE.local.md', '.claude/CLAUDE.md', 'AGENTS.md', 'GEMINI.md'];
const LARGEST = 1024 * 1024;
/** A package shows so many pieces of so many characters. */
const PIECE = 1_000;
const PIECES = 12;
const MEMORY_PIECE = 2_000;

/** One transcript or more for each file. Files with the same text, as links are, count once. */
export function notesOf(root: string, memories: string): Transcript[] {
  const seen = new Set<string>();
  const found: Transcript[] = [];
  const take = (name: string, path: string, kind: TranscriptEntry['kind']) => {
    const note = readNote(path);
    if (!note || seen.has(note.text)) return;
    seen.add(note.text);
    found.push(...transcriptsOf(name, note, kind, root));
  };
  for (const name of INSTRUCTIONS) take(name, join(root, name), 'prompt');
  for (const name of memoryFiles(memories)) take(`memory/${name}`, join(memories, name), 'message');
  return found;
}

interface Note {
  readonly text: string;
  readonly at: string;
}

/** Undefined for what is no file of text, or holds nothing but what Baton wrote into it. */
function readNote(path: string): Note | undefined {
  try {
    const { size, mtime } = statSync(path);
    if (size > LARGEST) return undefined;
    const text = withoutInstructions(readFileSync(path, 'utf8').replace(/^\uFEFF/, '')).trim();
    return text === '' ? undefined : { text, at: mtime.toISOString() };
  } catch {
    return undefined;
  }
}

function memoryFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .sort();
  } catch {
    return [];
  }
}

function transcriptsOf(name: string, note: Note, kind: TranscriptEntry['kind'], cwd: string): Transcript[] {
  const [size, most] = kind === 'prompt' ? [PIECE, PIECES] : [MEMORY_PIECE, 1];
  const pieces = piecesOf(note.text, size);
  const transcripts: Transcript[] = [];
  for (let from = 0; from < pieces.length; from += most) {
    const part = pieces.slice(from, from + most);
    const number = from / most + 1;
    transcripts.push({
      client: 'notes',
      session: number === 1 ? name : `${name}#${number}`,
      title: `${name}: ${firstLine(part[0] ?? '')}`.slice(0, 200),
      cwd,
      entries: part.map((text) => ({ kind, at: note.at, text })),
    });
  }
  return transcripts;
}

/** Whole paragraphs as long as they fit. */
function piecesOf(text: string, size: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const paragraph of text.split(/\n{2,}/)) {
    if (piece !== '' && piece.length + paragraph.length + 2 > size) {
      pieces.push(piece);
      piece = '';
    }
    piece = piece === '' ? paragraph : `${piece}\n\n${paragraph}`;
    for (; piece.length > size; piece = piece.slice(size)) pieces.push(piece.slice(0, size));
  }
  return piece.trim() === '' ? pieces : [...pieces, piece];
}

function firstLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').replace(/^[#\-*>\s]+/, '');
}
