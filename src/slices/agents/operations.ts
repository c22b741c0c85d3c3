import { hookOperations } from './hooks/operations.ts';
import { liveOperations } from './live/operations.ts';
import { transcriptOperations } from './transcripts/operations.ts';

export const agentsOperations = { ...hookOperations, ...liveOperations, ...transcriptOperations } as const;
