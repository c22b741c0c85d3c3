export const SENSITIVITIES = ['public', 'standard', 'sensitive', 'restricted'] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];

export function isSensitivity(text: unknown): text is Sensitivity {
  return SENSITIVITIES.includes(text as Sensitivity);
}

export function strictest(levels: readonly Sensitivity[]): Sensitivity {
  const ranks = levels.map((level) => SENSITIVITIES.indexOf(level));
  return SENSITIVITIES[Math.max(0, ...ranks)] ?? 'restricted';
}
