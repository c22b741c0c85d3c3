export interface PhaseStep {
  readonly name: string;
  readonly state: 'done' | 'now' | 'ahead';
}

/** Where a run stands among its phases; a completed one has them all behind it. */
export function phaseSteps(phases: readonly string[], current: string, status: string): PhaseStep[] {
  const at = status === 'completed' ? phases.length : phases.indexOf(current);
  return phases.map((name, index) => ({
    name,
    state: index < at ? 'done' : index === at ? 'now' : 'ahead',
  }));
}

/** The directory's own name: what people call the repository. */
export function repositoryName(root: string): string {
  return root.split(/[\\/]/).filter(Boolean).at(-1) ?? root;
}
