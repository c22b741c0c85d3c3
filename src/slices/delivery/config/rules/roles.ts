import {
  asRecord,
  isNonBlank,
  isRecord,
  isString,
  type LooseRecord,
  member,
} from '../../../../kernel/json/loose.ts';
import { ROLE_ID } from '../../ids.ts';
import { type ConfigFault, invalid } from './fault.ts';

const AUTHORITIES = ['authoritative', 'proposed', 'review_only'];

export function roleRuntimeFaults(roles: LooseRecord, runtimes: LooseRecord): ConfigFault[] {
  const faults: ConfigFault[] = [];
  for (const [id, raw] of Object.entries(roles)) {
    const runtime = runtimeOf(raw);
    if (!isString(runtime) || isRecord(member(runtimes, runtime))) continue;
    faults.push({
      type: 'undeclared_runtime_reference',
      field: `roles.${id}.runtime`,
      message: `Role "${id}" runs on "${runtime}", which runtimes does not declare.`,
      next: `Declare runtimes.${runtime}, or give the role one of: ${Object.keys(runtimes).join(', ') || 'none yet'}.`,
      facts: { referenced_runtime: runtime },
    });
  }
  return faults;
}

export function roleFaults(config: LooseRecord): ConfigFault[] {
  if (!isRecord(config.roles) || Object.keys(config.roles).length === 0) {
    return [invalid('roles', 'No role is declared.', 'Declare at least one role.')];
  }
  return Object.entries(config.roles).flatMap(([id, raw]) => oneRole(id, raw));
}

function oneRole(id: string, raw: unknown): ConfigFault[] {
  const at = `roles.${id}`;
  if (!isRecord(raw)) return [invalid(at, `Role "${id}" is not an object.`, 'Write it as an object.')];
  const faults: ConfigFault[] = [];
  if (!ROLE_ID.test(id) || id === 'human') {
    faults.push(invalid(at, `"${id}" is not a role id.`, 'Use a-z, 0-9, _ and -; "human" is taken.'));
  }
  for (const key of ['title', 'mandate']) {
    if (!isNonBlank(raw[key]))
      faults.push(invalid(`${at}.${key}`, `Role "${id}" has no ${key}.`, `Add a ${key}.`));
  }
  if (!isString(raw.write_authority) || !AUTHORITIES.includes(raw.write_authority)) {
    faults.push(
      invalid(
        `${at}.write_authority`,
        `Role "${id}" has no known write_authority.`,
        `Use ${AUTHORITIES.join(', ')}.`,
      ),
    );
  }
  if (!isNonBlank(runtimeOf(raw))) {
    faults.push(
      invalid(`${at}.runtime`, `Role "${id}" names no runtime.`, 'Name one of the declared runtimes.'),
    );
  }
  const authority = raw.decision_authority;
  if (authority !== undefined && !(Number.isInteger(authority) && inRange(authority as number, 0, 99))) {
    faults.push(
      invalid(`${at}.decision_authority`, 'decision_authority is not an integer of 0 to 99.', 'Use 0 to 99.'),
    );
  }
  return faults;
}

/** Some runtimes do not fit some authorities: a reviewer gets no shell, a remote model no write access. */
export function bindingFaults(roles: LooseRecord, runtimes: LooseRecord): ConfigFault[] {
  const faults: ConfigFault[] = [];
  for (const [id, raw] of Object.entries(roles)) {
    const runtime = runtimeOf(raw);
    const type = isString(runtime) ? asRecord(member(runtimes, runtime)).type : undefined;
    const authority = asRecord(raw).write_authority;
    const field = `roles.${id}.runtime`;
    if (authority === 'review_only' && type === 'local_cli') {
      faults.push(
        invalid(
          field,
          `Role "${id}" is review_only, but a local_cli runtime can write.`,
          'Use manual, mcp or api_proxy.',
        ),
      );
    }
    if (
      authority === 'authoritative' &&
      (type === 'api_proxy' || type === 'remote_agent' || type === 'a2a')
    ) {
      faults.push(
        invalid(
          field,
          `Role "${id}" is authoritative, but ${type} can only propose.`,
          'Use proposed, or local_cli.',
        ),
      );
    }
  }
  return faults;
}

function runtimeOf(role: unknown): unknown {
  const doc = asRecord(role);
  return doc.runtime ?? doc.runtime_id;
}

function inRange(value: number, low: number, high: number): boolean {
  return value >= low && value <= high;
}

const RUNTIME_TYPES: readonly string[] = [
  'manual',
  'local_cli',
  'api_proxy',
  'mcp',
  'remote_agent',
  // Ours, beyond the protocol: a peer behind the relay.
  'a2a',
];

export function runtimeFaults(config: LooseRecord): ConfigFault[] {
  if (!isRecord(config.runtimes)) {
    return [
      invalid('runtimes', 'runtimes is missing.', 'Declare at least { "manual": { "type": "manual" } }.'),
    ];
  }
  return Object.entries(config.runtimes).flatMap(([id, raw]) => {
    const type = isRecord(raw) ? raw.type : undefined;
    if (isString(type) && RUNTIME_TYPES.includes(type)) return [];
    return [
      invalid(
        `runtimes.${id}.type`,
        `Runtime "${id}" has no known type.`,
        `Use one of: ${RUNTIME_TYPES.join(', ')}.`,
      ),
    ];
  });
}
