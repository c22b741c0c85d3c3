import type { Hasher } from '../../../../kernel/hasher.ts';

/** What the tool interfaces of the model vendors accept. */
const LONGEST = 64;
const SUFFIX = 8;

/**
 * Action ids have only lower-case letters, digits and dots, so writing each dot as an underscore can be undone. An id
 * that is too long is cut and ends with a piece of its hash; the table knows the way back.
 */
function toolNameOf(actionId: string, hasher: Hasher): string {
  const name = actionId.replaceAll('.', '_');
  if (name.length <= LONGEST) return name;
  return `${name.slice(0, LONGEST - SUFFIX - 1)}_${hasher.hex(actionId).slice(0, SUFFIX)}`;
}

export interface ToolNames {
  readonly nameOf: ReadonlyMap<string, string>;
  readonly actionOf: ReadonlyMap<string, string>;
}

/** Throws on two ids with one name, which only a hash collision could bring about. */
export function toolNames(actionIds: Iterable<string>, hasher: Hasher): ToolNames {
  const nameOf = new Map<string, string>();
  const actionOf = new Map<string, string>();
  for (const actionId of actionIds) {
    const name = toolNameOf(actionId, hasher);
    const other = actionOf.get(name);
    if (other !== undefined && other !== actionId)
      throw new Error(`${actionId} and ${other} share the name ${name}`);
    nameOf.set(actionId, name);
    actionOf.set(name, actionId);
  }
  return { nameOf, actionOf };
}
