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
import { DECISION_ID } from '../../ids.ts';
import { BARRIER_TYPES, type BarrierType, type CoordinatorConfig, type Workstream } from '../state.ts';

/** `code` leads the wire's error text and can be matched on. */
export interface CoordinatorFault {
  readonly code: string;
  readonly field: string;
  readonly message: string;
}

export function validateCoordinatorConfig(raw: unknown): readonly CoordinatorFault[] {
  const config = asRecord(raw);
  return [
    ...headFaults(config),
    ...repoFaults(config),
    ...workstreamFaults(config),
    ...routingFaults(config),
    ...gateFaults(config),
  ];
}

export function faultText(fault: CoordinatorFault): string {
  return `${fault.code}: ${fault.message}`;
}

export function readCoordinatorConfig(raw: unknown): CoordinatorConfig {
  const config = asRecord(raw);
  const project = asRecord(config.project);
  return {
    project: { id: String(project.id ?? ''), name: String(project.name ?? '') },
    repos: mapDocs(config.repos, (repo) => ({
      path: String(repo.path ?? ''),
      required: repo.required !== false,
    })),
    workstreams: mapDocs(config.workstreams, readWorkstream),
    phases: legalPhases(config),
    entryWorkstreams: Object.fromEntries(
      Object.entries(asRecord(config.routing)).flatMap(([phase, route]) => {
        const entry = asRecord(route).entry_workstream;
        return isString(entry) ? [[phase, entry]] : [];
      }),
    ),
    gates: mapDocs(config.gates, (gate) => ({
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

function headFaults(config: LooseRecord): CoordinatorFault[] {
  const faults: CoordinatorFault[] = [];
  if (config.schema_version !== '0.1') {
    faults.push(fault('schema_version_invalid', 'schema_version', 'schema_version must be "0.1"'));
  }
  const project = asRecord(config.project);
  for (const key of ['id', 'name']) {
    if (!isNonBlank(project[key]))
      faults.push(fault(`project_${key}_invalid`, `project.${key}`, `project.${key} is empty`));
  }
  return faults;
}

function repoFaults(config: LooseRecord): CoordinatorFault[] {
  const repos = asRecord(config.repos);
  if (Object.keys(repos).length === 0) return [fault('repos_invalid', 'repos', 'no repository is declared')];
  return Object.entries(repos).flatMap(([id, repo]) =>
    isRecord(repo) && isNonBlank(repo.path)
      ? []
      : [fault('repo_path_invalid', `repos.${id}.path`, `repository "${id}" has no path`)],
  );
}

function workstreamFaults(config: LooseRecord): CoordinatorFault[] {
  const workstreams = asRecord(config.workstreams);
  const faults = Object.entries(workstreams).flatMap(([id, raw]) => oneWorkstream(config, id, asRecord(raw)));
  const cycle = findCycle(
    new Map(Object.entries(workstreams).map(([id, raw]) => [id, asStrings(asRecord(raw).depends_on)])),
  );
  if (cycle !== undefined)
    faults.push(fault('workstream_cycle', 'workstreams', `dependencies form a cycle: ${cycle.join(' -> ')}`));
  return faults;
}

function oneWorkstream(config: LooseRecord, id: string, stream: LooseRecord): CoordinatorFault[] {
  const at = `workstreams.${id}`;
  const repos = asList(stream.repos);
  const faults: CoordinatorFault[] = [];
  if (!legalPhases(config).includes(String(stream.phase))) {
    faults.push(fault('workstream_phase_invalid', `${at}.phase`, `workstream "${id}" names no known phase`));
  }
  if (repos.length === 0)
    faults.push(fault('workstream_repos_invalid', `${at}.repos`, `workstream "${id}" has no repository`));
  for (const repo of repos) {
    if (isString(repo) && isRecord(member(asRecord(config.repos), repo))) continue;
    faults.push(
      fault(
        'workstream_repo_unknown',
        `${at}.repos`,
        `workstream "${id}" names unknown repository ${JSON.stringify(repo)}`,
      ),
    );
  }
  if (!repos.includes(stream.entry_repo)) {
    faults.push(
      fault(
        'workstream_entry_repo_mismatch',
        `${at}.entry_repo`,
        `entry_repo of "${id}" is none of its repositories`,
      ),
    );
  }
  for (const dependency of asList(stream.depends_on)) {
    if (isString(dependency) && isRecord(member(asRecord(config.workstreams), dependency))) continue;
    faults.push(
      fault(
        'workstream_dependency_unknown',
        `${at}.depends_on`,
        `"${id}" depends on unknown ${JSON.stringify(dependency)}`,
      ),
    );
  }
  if (!(BARRIER_TYPES as readonly unknown[]).includes(stream.completion_barrier)) {
    faults.push(
      fault(
        'workstream_completion_barrier_invalid',
        `${at}.completion_barrier`,
        `"${id}" has no known barrier`,
      ),
    );
  }
  return [...faults, ...decisionMapFaults(id, stream)];
}

function decisionMapFaults(id: string, stream: LooseRecord): CoordinatorFault[] {
  const kind = stream.completion_barrier;
  if (kind !== 'interface_alignment' && kind !== 'named_decisions') return [];
  const at = `workstreams.${id}.${kind}.decision_ids_by_repo`;
  const map = asRecord(stream[kind]).decision_ids_by_repo;
  if (!isRecord(map))
    return [fault(`workstream_${kind}_invalid`, at, `"${id}" declares no decisions per repository`)];
  return asList(stream.repos).flatMap((repo) => {
    const ids = isString(repo) ? member(map, repo) : undefined;
    const valid =
      Array.isArray(ids) &&
      ids.length > 0 &&
      ids.every((entry) => isString(entry) && DECISION_ID.test(entry)) &&
      new Set(ids).size === ids.length;
    return valid
      ? []
      : [
          fault(
            `workstream_${kind}_decisions_invalid`,
            `${at}.${String(repo)}`,
            `"${id}" lists no valid decision ids for "${String(repo)}"`,
          ),
        ];
  });
}

function routingFaults(config: LooseRecord): CoordinatorFault[] {
  return Object.entries(asRecord(config.routing)).flatMap(([phase, route]) => {
    const entry = asRecord(route).entry_workstream;
    const stream = isString(entry) ? member(asRecord(config.workstreams), entry) : undefined;
    if (isRecord(stream) && stream.phase === phase) return [];
    return [
      fault(
        'routing_entry_workstream_invalid',
        `routing.${phase}.entry_workstream`,
        `phase "${phase}" names no workstream of its own`,
      ),
    ];
  });
}

function gateFaults(config: LooseRecord): CoordinatorFault[] {
  return Object.entries(asRecord(config.gates)).flatMap(([id, gate]) =>
    asList(asRecord(gate).requires_repos).flatMap((repo) =>
      isString(repo) && isRecord(member(asRecord(config.repos), repo))
        ? []
        : [
            fault(
              'gate_repo_unknown',
              `gates.${id}.requires_repos`,
              `gate "${id}" names unknown repository ${JSON.stringify(repo)}`,
            ),
          ],
    ),
  );
}

function legalPhases(config: LooseRecord): readonly string[] {
  const routed = Object.keys(asRecord(config.routing));
  return routed.length > 0 ? routed : DEFAULT_PHASES;
}

function fault(code: string, field: string, message: string): CoordinatorFault {
  return { code, field, message };
}

function mapDocs<T>(map: unknown, read: (value: LooseRecord) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(
    Object.entries(asRecord(map)).map(([key, value]) => [key, read(asRecord(value))]),
  );
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
