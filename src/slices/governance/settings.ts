import type { GovernanceSettings } from './ports.ts';

export interface Limits {
  readonly resolutionSeconds: number;
  readonly clockSkewSeconds: number;
  readonly approvalSeconds: number;
  readonly redact: (text: string) => string;
}

export function limitsOf(settings: GovernanceSettings = {}): Limits {
  return {
    resolutionSeconds: Math.min(settings.resolutionSeconds ?? 3600, 86_400),
    clockSkewSeconds: settings.clockSkewSeconds ?? 300,
    approvalSeconds: settings.approvalSeconds ?? 3600,
    redact: settings.redact ?? ((text) => text),
  };
}
