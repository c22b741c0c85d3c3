import {
  asList,
  asRecord,
  asStrings,
  isNonBlank,
  isRecord,
  isString,
  type LooseRecord,
  member,
} from '../../../../kernel/json/loose.ts';
import { DEFAULT_PHASES } from '../../config/config.ts';
import { mapValues } from '../../config/rules/read.ts';
import { DECISION_ID } from '../../ids.ts';
import { BARRIER_TYPES, type BarrierType, type CoordinatorConfig, type Workstream } from '../state.ts';

/** `code` leads the wire's error text and can be matched on. */
export interface CoordinatorFault {
  readonly code: string;
  readonly field: string;
  readonly message: string;
}

type Report = (code: string, field: string, message: string) => void;

export function validateCoordinatorConfig(raw: unknown): readonly CoordinatorFault[] {
  const config = asRecord(raw);
  const faults: CoordinatorFault[] = [];
  const report: Report = (code, field, message) => faults.push({ code, field, message });
  checkHead(config, report);
  checkRepos(config, report);
  checkWorkstreams(config, report);
  checkRouting(config, report);
  checkGates(config, report);
  return faults;
}

export function faultText(fault: CoordinatorFault): string {
  return `${fault.code}: ${fault.message}`;
}

export function readCoordinatorConfig(raw: unknown): CoordinatorConfig {
  const config = asRecord(raw);
  const project = asRecord(config.project);
  return {
    project: { id: String(project.id ?? ''), name: String(project.name ?? '') },
    repos: mapValues(config.repos, (repo) => ({
      path: String(repo.path ?? ''),
      required: repo.required !== false,
    })),
    workstreams: mapValues(config.workstreams, readWorkstream),
    phases: legalPhases(config),
    entryWorkstreams: Object.fromEntries(
      Object.entries(asRecord(config.routing)).flatMap(([phase, route]) => {
        const entry = asRecord(route).entry_workstream;
        return isString(entry) ? [[phase, entry]] : [];
      }),
    ),
    gates: mapValues(config.gates, (gate) => ({
      requiresHumanApproval: gate.requires_human_approval !== false,
      repos: asStrings(gate.requires_repos),
    })),
  };
}

function readWorkstream(raw: LooseRecord): Workstream {
  const map = asRecord(asRecord(raw[String(raw.completion_barrier)]).decision_ids_by_repo);
  return {
    phase: String(raw.phase ?? ''),
    repos: asStrings(raw.repos),
    entry_repo: String(raw.entry_repo ?? ''),
    depends_on: asStrings(raw.depends_on),
    completion_barrier: raw.completion_barrier as BarrierType,
    decisionIdsByRepo: Object.fromEntries(Object.entries(map).map(([repo, ids]) => [repo, asStrings(ids)])),
  };
}

function checkHead(config: LooseRecord, report: Report) {
  if (config.schema_version !== '0.1')
    report('schema_version_invalid', 'schema_version', 'schema_version must be "0.1"');
  const project = asRecord(config.project);
  for (const key of ['id', 'name']) {
    if (!isNonBlank(project[key]))
      report(`project_${key}_invalid`, `project.${key}`, `project.${key} is empty`);
  }
}

function checkRepos(config: LooseRecord, report: Report) {
  const repos = asRecord(config.repos);
  if (Object.keys(repos).length === 0) report('repos_invalid', 'repos', 'no repository is declared');
  for (const [id, repo] of Object.entries(repos)) {
    if (!isNonBlank(asRecord(repo).path))
      report('repo_path_invalid', `repos.${id}.path`, `repository "${id}" has no path`);
  }
}

function checkWorkstreams(config: LooseRecord, report: Report) {
  const workstreams = Object.entries(asRecord(config.workstreams));
  for (const [id, stream] of workstreams) checkWorkstream(config, id, asRecord(stream), report);
  const cycle = findCycle(
    new Map(workstreams.map(([id, stream]) => [id, asStrings(asRecord(stream).depends_on)])),
  );
  if (cycle !== undefined)
    report('workstream_cycle', 'workstreams', `dependencies form a cycle: ${cycle.join(' -> ')}`);
}

function checkWorkstream(config: LooseRecord, id: string, stream: LooseRecord, report: Report) {
  const at = `workstreams.${id}`;
  const repos = asList(stream.repos);
  if (!legalPhases(config).includes(String(stream.phase)))
    report('workstream_phase_invalid', `${at}.phase`, `workstream "${id}" names no known phase`);
  if (repos.length === 0)
    report('workstream_repos_invalid', `${at}.repos`, `workstream "${id}" has no repository`);
  for (const repo of repos.filter((each) => !isDeclared(config.repos, each))) {
    const message = `workstream "${id}" names unknown repository ${JSON.stringify(repo)}`;
    report('workstream_repo_unknown', `${at}.repos`, message);
  }
  if (!repos.includes(stream.entry_repo)) {
    const message = `entry_repo of "${id}" is none of its repositories`;
    report('workstream_entry_repo_mismatch', `${at}.entry_repo`, message);
  }
  for (const dependency of asList(stream.depends_on)) {
    if (isDeclared(config.workstreams, dependency)) continue;
    const message = `"${id}" depends on unknown ${JSON.stringify(dependency)}`;
    report('workstream_dependency_unknown', `${at}.depends_on`, message);
  }
  if (!(BARRIER_TYPES as readonly unknown[]).includes(stream.completion_barrier)) {
    const message = `"${id}" has no known barrier`;
    report('workstream_completion_barrier_invalid', `${at}.completion_barrier`, message);
  }
  checkDecisionMap(id, stream, report);
}

function isDeclared(map: unknown, key: unknown): boolean {
  return isString(key) && isRecord(member(asRecord(map), key));
}

function checkDecisionMap(id: string, stream: LooseRecord, report: Report) {
  const kind = stream.completion_barrier;
  if (kind !== 'interface_alignment' && kind !== 'named_decisions') return;
  const at = `workstreams.${id}.${kind}.decision_ids_by_repo`;
  const map = asRecord(stream[kind]).decision_ids_by_repo;
  if (!isRecord(map))
    return report(`workstream_${kind}_invalid`, at, `"${id}" declares no decisions per repository`);
  for (const repo of asList(stream.repos)) {
    const ids = asList(isString(repo) ? member(map, repo) : undefined);
    const valid =
      ids.length > 0 &&
      ids.every((entry) => isString(entry) && DECISION_ID.test(entry)) &&
      new Set(ids).size === ids.length;
    if (valid) continue;
    const message = `"${id}" lists no valid decision ids for "${String(repo)}"`;
    report(`workstream_${kind}_decisions_invalid`, `${at}.${String(repo)}`, message);
  }
}

function checkRouting(config: LooseRecord, report: Report) {
  for (const [phase, route] of Object.entries(asRecord(config.routing))) {
    const entry = asRecord(route).entry_workstream;
    const stream = isString(entry) ? member(asRecord(config.workstreams), entry) : undefined;
    if (isRecord(stream) && stream.phase === phase) continue;
    const field = `routing.${phase}.entry_workstream`;
    report('routing_entry_workstream_invalid', field, `phase "${phase}" names no workstream of its own`);
  }
}

function checkGates(config: LooseRecord, report: Report) {
  for (const [id, gate] of Object.entries(asRecord(config.gates))) {
    for (const repo of asList(asRecord(gate).requires_repos)) {
      if (isDeclared(config.repos, repo)) continue;
      const message = `gate "${id}" names unknown repository ${JSON.stringify(repo)}`;
      report('gate_repo_unknown', `gates.${id}.requires_repos`, message);
    }
  }
}

function legalPhases(config: LooseRecord): readonly string[] {
  const routed = Object.keys(asRecord(config.routing));
  return routed.length > 0 ? routed : DEFAULT_PHASES;
}

/** A cycle in a dependency graph, first node repeated at its end, or undefined. */
function findCycle(edges: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const finished = new Set<string>();
  const path: string[] = [];

  function visit(node: string): readonly string[] | undefined {
    if (finished.has(node)) return undefined;
    const at = path.indexOf(node);
    if (at >= 0) return [...path.slice(at), node];
    path.push(node);
    for (const next of edges.get(node) ?? []) {
      const cycle = visit(next);
      if (cycle !== undefined) return cycle;
    }
    path.pop();
    finished.add(node);
    return undefined;
  }

  for (const node of edges.keys()) {
    const cycle = visit(node);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
