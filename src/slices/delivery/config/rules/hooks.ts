import {
  asList,
  asRecord,
  isNonBlank,
  isRecord,
  isString,
  type LooseRecord,
} from '../../../../kernel/json/loose.ts';
import { isWhole, type Report } from '../../findings.ts';
import { HOOK_NAME } from '../../ids.ts';

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

export function checkHooks({ hooks }: LooseRecord, report: Report) {
  if (hooks === undefined) return;
  if (!isRecord(hooks)) return report('hooks', 'hooks is not an object.', 'Map each phase to a list.');
  for (const [phase, list] of Object.entries(hooks)) checkPhase(phase, list, report);
}

function checkPhase(phase: string, hooks: unknown, report: Report) {
  const at = `hooks.${phase}`;
  if (!HOOK_PHASES.includes(phase))
    return report(at, `"${phase}" is not a hook phase.`, `Use one of: ${HOOK_PHASES.join(', ')}.`);
  if (!Array.isArray(hooks)) return report(at, `${at} is not a list.`, 'Write a list of hooks.');
  if (hooks.length > MAX_HOOKS)
    report(at, `${hooks.length} hooks in one phase.`, `Keep at most ${MAX_HOOKS}.`);
  const names = new Set<unknown>();
  for (const [index, hook] of hooks.entries()) {
    checkHook(phase, `${at}.${index}`, hook, report);
    const { name } = asRecord(hook);
    if (names.has(name)) report(`${at}.${index}.name`, 'Two hooks share a name.', 'Rename one.');
    names.add(name);
  }
}

function checkHook(phase: string, at: string, hook: unknown, report: Report) {
  if (!isRecord(hook)) return report(at, `${at} is not an object.`, 'Write it as an object.');
  if (!isString(hook.name) || !HOOK_NAME.test(hook.name))
    report(`${at}.name`, 'The hook has no valid name.', 'Use a-z, 0-9, _ and -.');
  if (hook.mode !== 'blocking' && hook.mode !== 'advisory')
    report(`${at}.mode`, 'The mode is neither blocking nor advisory.', 'Choose one.');
  if (hook.mode === 'blocking' && ADVISORY_ONLY.includes(phase))
    report(`${at}.mode`, `A hook of ${phase} comes too late to block.`, 'Make it advisory.');
  if (!isWhole(hook.timeout_ms, MIN_TIMEOUT_MS, MAX_TIMEOUT_MS)) {
    const next = `Use ${MIN_TIMEOUT_MS} to ${MAX_TIMEOUT_MS}.`;
    report(`${at}.timeout_ms`, 'timeout_ms is out of range.', next);
  }
  if (hook.env !== undefined && !(isRecord(hook.env) && Object.values(hook.env).every(isString)))
    report(`${at}.env`, 'env is not a map of strings.', 'Write every value as a string.');
  checkTransport(at, hook, report);
}

function checkTransport(at: string, hook: LooseRecord, report: Report) {
  if (hook.type === 'process') {
    const argv = asList(hook.command);
    if (argv.length === 0 || !argv.every(isNonBlank))
      report(`${at}.command`, 'A process hook needs a command list.', 'Write ["program", "argument"].');
    return;
  }
  if (hook.type !== 'http')
    return report(`${at}.type`, 'The type is neither process nor http.', 'Choose one.');
  if (!isString(hook.url) || !/^https?:\/\//.test(hook.url))
    report(`${at}.url`, 'An http hook needs an http(s) address.', 'Set url.');
  if (hook.method !== undefined && hook.method !== 'POST')
    report(`${at}.method`, 'Hooks are posted.', 'Remove method, or set it to POST.');
}
