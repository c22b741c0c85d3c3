import type { Place } from '../clients/paths.ts';
import { claudeCodeTranscript } from './claude-code.ts';
import { codexTranscript } from './codex.ts';
import { geminiTranscript } from './gemini.ts';
import type { TranscriptReader } from './transcript.ts';

export const TRANSCRIPT_CLIENTS = ['claude-code', 'codex', 'gemini'] as const;
export type TranscriptClient = (typeof TRANSCRIPT_CLIENTS)[number];

export function isTranscriptClient(name: string): name is TranscriptClient {
  return TRANSCRIPT_CLIENTS.some((client) => client === name);
}

const READERS: Readonly<Record<TranscriptClient, (place: Omit<Place, 'cwd'>) => TranscriptReader>> = {
  'claude-code': claudeCodeTranscript,
  codex: codexTranscript,
  gemini: geminiTranscript,
};

export function transcriptReader(client: TranscriptClient, place: Omit<Place, 'cwd'>): TranscriptReader {
  return READERS[client](place);
}
