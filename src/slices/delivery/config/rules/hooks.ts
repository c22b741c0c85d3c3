import { asList, isNonBlank, isRecord, isString, type LooseRecord } from '../../../../kernel/json/loose.ts';
import { HOOK_NAME } from '../../ids.ts';
import { type ConfigFault, invalid } from './fault.ts';

const HOOK_PHASES: readonly string[] = [
  'before_assignment',
  'after_dispatch',
  'before_validation',
  'after_validation',
  'before_acceptance',
  'after_acceptance',
  'before_gate',
  'on_escalation',
];

/** These phases come after the fact: there is nothing left to block. */
const ADVISORY_ONLY = ['after_acceptance', 'on_escalation'];
const MAX_HOOKS = 8;
const MIN_TIMEOUT_MS = 100;
const MAX_TIMEOUT_MS = 30_000;

export function hookFaults(config: LooseRecord): ConfigFault[] {
  if (config.hooks === undefined) return [];
  if (!isRecord(config.hooks))
    return [invalid('hooks', 'hooks is not an object.', 'Map each phase to a list.')];
  return Object.entries(config.hooks).flatMap(([phase, hooks]) => onePhase(phase, hooks));
}

function onePhase(phase: string, raw: unknown): ConfigFault[] {
  const at = `hooks.${phase}`;
  if (!HOOK_PHASES.includes(phase)) {
    return [invalid(at, `"${phase}" is not a hook phase.`, `Use one of: ${HOOK_PHASES.join(', ')}.`)];
  }
  if (!Array.isArray(raw)) return [invalid(at, `${at} is not a list.`, 'Write a list of hooks.')];
  const faults: ConfigFault[] = [];
  if (raw.length > MAX_HOOKS) {
    faults.push(invalid(at, `${raw.length} hooks in one phase.`, `Keep at most ${MAX_HOOKS}.`));
  }
  const names = new Set<unknown>();
  raw.forEach((hook, index) => {
    faults.push(...oneHook(phase, `${at}.${index}`, hook));
    const name = isRecord(hook) ? hook.name : undefined;
    if (names.has(name))
      faults.push(invalid(`${at}.${index}.name`, 'Two hooks share a name.', 'Rename one.'));
    names.add(name);
  });
  return faults;
}

function oneHook(phase: string, at: string, hook: unknown): ConfigFault[] {
  if (!isRecord(hook)) return [invalid(at, `${at} is not an object.`, 'Write it as an object.')];
  const faults: ConfigFault[] = [];
  if (!isString(hook.name) || !HOOK_NAME.test(hook.name)) {
    faults.push(invalid(`${at}.name`, 'The hook has no valid name.', 'Use a-z, 0-9, _ and -.'));
  }
  if (hook.mode !== 'blocking' && hook.mode !== 'advisory') {
    faults.push(invalid(`${at}.mode`, 'The mode is neither blocking nor advisory.', 'Choose one.'));
  }
  if (hook.mode === 'blocking' && ADVISORY_ONLY.includes(phase)) {
    faults.push(invalid(`${at}.mode`, `A hook of ${phase} comes too late to block.`, 'Make it advisory.'));
  }
  const ms = hook.timeout_ms;
  if (!(Number.isInteger(ms) && (ms as number) >= MIN_TIMEOUT_MS && (ms as number) <= MAX_TIMEOUT_MS)) {
    faults.push(
      invalid(
        `${at}.timeout_ms`,
        'timeout_ms is out of range.',
        `Use ${MIN_TIMEOUT_MS} to ${MAX_TIMEOUT_MS}.`,
      ),
    );
  }
  if (hook.env !== undefined && !(isRecord(hook.env) && Object.values(hook.env).every(isString))) {
    faults.push(invalid(`${at}.env`, 'env is not a map of strings.', 'Write every value as a string.'));
  }
  return [...faults, ...transportFaults(at, hook)];
}

function transportFaults(at: string, hook: LooseRecord): ConfigFault[] {
  if (hook.type === 'process') {
    const argv = asList(hook.command);
    return argv.length > 0 && argv.every(isNonBlank)
      ? []
      : [invalid(`${at}.command`, 'A process hook needs a command list.', 'Write ["program", "argument"].')];
  }
  if (hook.type !== 'http')
    return [invalid(`${at}.type`, 'The type is neither process nor http.', 'Choose one.')];
  const faults: ConfigFault[] = [];
  if (!isString(hook.url) || !/^https?:\/\//.test(hook.url)) {
    faults.push(invalid(`${at}.url`, 'An http hook needs an http(s) address.', 'Set url.'));
  }
  if (hook.method !== undefined && hook.method !== 'POST') {
    faults.push(invalid(`${at}.method`, 'Hooks are posted.', 'Remove method, or set it to POST.'));
  }
  return faults;
}
