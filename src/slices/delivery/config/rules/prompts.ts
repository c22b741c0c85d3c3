import { asRecord, isRecord, isString, type LooseRecord, member } from '../../../../kernel/json/loose.ts';
import type { Report } from '../../findings.ts';
import { containedPath } from '../../path-rules.ts';

export function checkPrompts({ prompts, roles }: LooseRecord, report: Report) {
  if (prompts === undefined) return;
  if (!isRecord(prompts)) return report('prompts', 'prompts is not an object.', 'Map role ids to files.');
  for (const [role, path] of Object.entries(prompts)) {
    if (!isRecord(member(asRecord(roles), role)))
      report(`prompts.${role}`, `"${role}" is not a declared role.`, 'Name a declared role.');
    if (!isString(path) || containedPath(path) === undefined)
      report(
        `prompts.${role}`,
        `${JSON.stringify(path)} is not a path inside the repository.`,
        'Use a relative path.',
      );
  }
}
