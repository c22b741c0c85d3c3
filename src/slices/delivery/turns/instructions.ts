import { readFile } from 'node:fs/promises';
import { member } from '../../../kernel/json/loose.ts';
import type { GovernedConfig } from '../config/config.ts';
import { refusalError } from '../errors.ts';
import { containedPath } from '../path-rules.ts';
import { within } from '../repository/paths.ts';

/** The text of the file that `prompts` names for a role. A file that is gone is refused: the role relies on it. */
export async function instructionsFor(
  root: string,
  config: GovernedConfig,
  role: string,
): Promise<string | undefined> {
  const named = member(config.prompts, role);
  if (named === undefined) return undefined;
  const path = containedPath(named);
  const text =
    path === undefined ? undefined : await readFile(within(root, path), 'utf8').catch(() => undefined);
  if (text !== undefined) return text.trim();
  throw refusalError({
    type: 'invalid_config',
    rule: 'dispatch.prompt_file',
    field: `prompts.${role}`,
    message: `The instructions of "${role}" cannot be read: ${named}.`,
    next: `Write ${named}, or remove prompts.${role} from agentxchain.json.`,
  });
}
