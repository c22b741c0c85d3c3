import {
  asRecord,
  isNonBlank,
  isRecord,
  isString,
  type LooseRecord,
  member,
} from '../../../../kernel/json/loose.ts';
import { isWhole, type Report } from '../../findings.ts';
import { ROLE_ID } from '../../ids.ts';

const AUTHORITIES: readonly unknown[] = ['authoritative', 'proposed', 'review_only'];

export function checkRuntimeReferences(roles: LooseRecord, runtimes: LooseRecord, report: Report) {
  for (const [id, role] of Object.entries(roles)) {
    const runtime = runtimeOf(role);
    if (!isString(runtime) || isRecord(member(runtimes, runtime))) continue;
    report(
      `roles.${id}.runtime`,
      `Role "${id}" runs on "${runtime}", which runtimes does not declare.`,
      `Declare runtimes.${runtime}, or give the role one of: ${Object.keys(runtimes).join(', ') || 'none yet'}.`,
      { type: 'undeclared_runtime_reference', facts: { referenced_runtime: runtime } },
    );
  }
}

export function checkRoles({ roles }: LooseRecord, report: Report) {
  if (!isRecord(roles) || Object.keys(roles).length === 0)
    return report('roles', 'No role is declared.', 'Declare at least one role.');
  for (const [id, role] of Object.entries(roles)) checkRole(id, role, report);
}

function checkRole(id: string, role: unknown, report: Report) {
  const at = `roles.${id}`;
  if (!isRecord(role)) return report(at, `Role "${id}" is not an object.`, 'Write it as an object.');
  if (!ROLE_ID.test(id) || id === 'human')
    report(at, `"${id}" is not a role id.`, 'Use a-z, 0-9, _ and -; "human" is taken.');
  for (const key of ['title', 'mandate'])
    if (!isNonBlank(role[key])) report(`${at}.${key}`, `Role "${id}" has no ${key}.`, `Add a ${key}.`);
  if (!AUTHORITIES.includes(role.write_authority)) {
    const message = `Role "${id}" has no known write_authority.`;
    report(`${at}.write_authority`, message, `Use ${AUTHORITIES.join(', ')}.`);
  }
  if (!isNonBlank(runtimeOf(role)))
    report(`${at}.runtime`, `Role "${id}" names no runtime.`, 'Name one of the declared runtimes.');
  if (role.decision_authority !== undefined && !isWhole(role.decision_authority, 0, 99)) {
    const message = 'decision_authority is not an integer of 0 to 99.';
    report(`${at}.decision_authority`, message, 'Use 0 to 99.');
  }
}

/** Some runtimes do not fit some authorities: a reviewer gets no shell, a remote model no write access. */
export function checkBindings(roles: LooseRecord, runtimes: LooseRecord, report: Report) {
  for (const [id, role] of Object.entries(roles)) {
    const runtime = runtimeOf(role);
    const type = isString(runtime) ? asRecord(member(runtimes, runtime)).type : undefined;
    const authority = asRecord(role).write_authority;
    const field = `roles.${id}.runtime`;
    if (authority === 'review_only' && type === 'local_cli') {
      const message = `Role "${id}" is review_only, but a local_cli runtime can write.`;
      report(field, message, 'Use manual, mcp or api_proxy.');
    }
    const proposes = type === 'api_proxy' || type === 'remote_agent' || type === 'a2a';
    if (authority === 'authoritative' && proposes) {
      const message = `Role "${id}" is authoritative, but ${type} can only propose.`;
      report(field, message, 'Use proposed, or local_cli.');
    }
  }
}

function runtimeOf(role: unknown): unknown {
  const { runtime, runtime_id } = asRecord(role);
  return runtime ?? runtime_id;
}

const RUNTIME_TYPES: readonly unknown[] = [
  'manual',
  'local_cli',
  'api_proxy',
  'mcp',
  'remote_agent',
  // Ours, beyond the protocol: a peer behind the relay.
  'a2a',
];

export function checkRuntimes({ runtimes }: LooseRecord, report: Report) {
  if (!isRecord(runtimes)) {
    const next = 'Declare at least { "manual": { "type": "manual" } }.';
    return report('runtimes', 'runtimes is missing.', next);
  }
  for (const [id, runtime] of Object.entries(runtimes)) {
    if (RUNTIME_TYPES.includes(asRecord(runtime).type)) continue;
    const next = `Use one of: ${RUNTIME_TYPES.join(', ')}.`;
    report(`runtimes.${id}.type`, `Runtime "${id}" has no known type.`, next);
  }
}
