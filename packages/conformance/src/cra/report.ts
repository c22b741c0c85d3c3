import type { Area } from './case.ts';

export interface CaseResult {
  readonly test_id: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly duration_ms: number;
  readonly error?: string;
  readonly details?: unknown;
}

export type Level = 'none' | 'CARP-Core' | 'TRACE-Core' | 'Atlas-Core' | 'CRA-Minimal' | 'CRA-Full';

export interface CraReport {
  readonly implementation: string;
  readonly version: string;
  readonly conformance_level: Level;
  readonly test_run: {
    readonly timestamp: string;
    readonly duration_ms: number;
    readonly total: number;
    readonly passed: number;
    readonly failed: number;
    readonly skipped: number;
  };
  readonly results: readonly CaseResult[];
}

/** The highest level without a failure; CRA-Full also requires that the WebSocket was tested. */
export function levelOf(results: readonly (CaseResult & { readonly area: Area })[]): Level {
  const sound = (area: Area) =>
    results.some((each) => each.area === area) &&
    !results.some((each) => each.area === area && each.status === 'failed');
  const core = (['CARP-Core', 'TRACE-Core', 'Atlas-Core'] as const).filter(sound);
  const socket = results.find((each) => each.test_id === 'http.websocket')?.status === 'passed';
  if (core.length === 3) return sound('HTTP') && socket ? 'CRA-Full' : 'CRA-Minimal';
  return core[0] ?? 'none';
}
