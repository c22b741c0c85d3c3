import type { LooseRecord } from '../../../../kernel/json/loose.ts';

/** One fault of a config. `facts` are extra members on the wire, such as `referenced_role`. */
export interface ConfigFault {
  readonly type: string;
  readonly field: string;
  readonly message: string;
  readonly next: string;
  readonly facts?: LooseRecord;
}

export function invalid(field: string, message: string, next: string): ConfigFault {
  return { type: 'invalid_config', field, message, next };
}
