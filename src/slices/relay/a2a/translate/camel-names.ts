import { isRecord, type LooseRecord } from '../../../../kernel/json/loose.ts';

/** Members whose values are the caller's own, whatever names stand in them. */
const OPAQUE: ReadonlySet<string> = new Set(['metadata', 'data']);

/** 1.0 is protobuf's JSON, whose readers take `task_id` for `taskId`. The same object where nothing is spelled so. */
export function camelNames(params: LooseRecord): LooseRecord {
  const renamed: Record<string, unknown> = {};
  let isSame = true;
  for (const [name, value] of Object.entries(params)) {
    const camel = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    const kept = OPAQUE.has(camel) ? value : renamedIn(value);
    isSame &&= camel === name && kept === value;
    renamed[camel] = kept;
  }
  return isSame ? params : renamed;
}

function renamedIn(value: unknown): unknown {
  if (Array.isArray(value)) {
    const list = value.map(renamedIn);
    return list.some((one, at) => one !== value[at]) ? list : value;
  }
  return isRecord(value) ? camelNames(value) : value;
}
