import { DEFAULT_PHASES } from '../../config/rules/phases.ts';
import { asDoc, asList, type Doc, isDoc, isNonBlank, isText, member } from '../../document.ts';
import { DECISION_ID } from '../../ids.ts';
import { BARRIER_TYPES, type BarrierType, type CoordinatorConfig, type Workstream } from '../state.ts';

/** `code` leads the wire's error text and can be matched on. */
export interface CoordinatorFault {
  readonly code: string;
  readonly field: string;
  readonly message: string;
}

export function validateCoordinatorConfig(raw: unknown): readonly CoordinatorFault[] {
  const config = asDoc(raw);
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
  const config = asDoc(raw);
  const project = asDoc(config.project);
  return {
    project: { id: String(project.id ?? ''), name: String(project.name ?? '') },
    repos: mapDocs(config.repos, (repo) => ({
      path: String(repo.path ?? ''),
      required: repo.required !== false,
    })),
    workstreams: mapDocs(config.workstreams, readWorkstream),
    phases: legalPhases(config),
    entryWorkstreams: Object.fromEntries(
      Object.entries(asDoc(config.routing)).flatMap(([phase, route]) => {
        const entry = asDoc(route).entry_workstream;
        return isText(entry) ? [[phase, entry]] : [];
      }),
    ),
    gates: mapDocs(config.gates, (gate) => ({
      requiresHumanApproval: gate.requires_human_approval !== false,
      repos: asList(gate.requires_repos).filter(isText),
    })),
  };
}

function readWorkstream(raw: Doc): Workstream {
  const map = asDoc(asDoc(raw[String(raw.completion_barrier)]).decision_ids_by_repo);
  return {
    phase: String(raw.phase ?? ''),
    repos: asList(raw.repos).filter(isText),
    entry_repo: String(raw.entry_repo ?? ''),
    depends_on: asList(raw.depends_on).filter(isText),
    completion_barrier: raw.completion_barrier as BarrierType,
    decisionIdsByRepo: Object.fromEntries(
      Object.entries(map).map(([repo, ids]) => [repo, asList(ids).filter(isText)]),
    ),
  };
}

function headFaults(config: Doc): CoordinatorFault[] {
  const faults: CoordinatorFault[] = [];
  if (config.schema_version !== '0.1') {
    faults.push(fault('schema_version_invalid', 'schema_version', 'schema_version must be "0.1"'));
  }
  const project = asDoc(config.project);
  for (const key of ['id', 'name']) {
    if (!isNonBlank(project[key]))
      faults.push(fault(`project_${key}_invalid`, `project.${key}`, `project.${key} is empty`));
  }
  return faults;
}

function repoFaults(config: Doc): CoordinatorFault[] {
  const repos = asDoc(config.repos);
  if (Object.keys(repos).length === 0) return [fault('repos_invalid', 'repos', 'no repository is declared')];
  return Object.entries(repos).flatMap(([id, repo]) =>
    isDoc(repo) && isNonBlank(repo.path)
      ? []
      : [fault('repo_path_invalid', `repos.${id}.path`, `repository "${id}" has no path`)],
  );
}

function workstreamFaults(config: Doc): CoordinatorFault[] {
  const workstreams = asDoc(config.workstreams);
  const faults = Object.entries(workstreams).flatMap(([id, raw]) => oneWorkstream(config, id, asDoc(raw)));
  const cycle = findCycle(
    new Map(
      Object.entries(workstreams).map(([id, raw]) => [id, asList(asDoc(raw).depends_on).filter(isText)]),
    ),
  );
  if (cycle !== undefined)
    faults.push(fault('workstream_cycle', 'workstreams', `dependencies form a cycle: ${cycle.join(' -> ')}`));
  return faults;
}

function oneWorkstream(config: Doc, id: string, stream: Doc): CoordinatorFault[] {
  const at = `workstreams.${id}`;
  const repos = asList(stream.repos);
  const faults: CoordinatorFault[] = [];
  if (!legalPhases(config).includes(String(stream.phase))) {
    faults.push(fault('workstream_phase_invalid', `${at}.phase`, `workstream "${id}" names no known phase`));
  }
  if (repos.length === 0)
    faults.push(fault('workstream_repos_invalid', `${at}.repos`, `workstream "${id}" has no repository`));
  for (const repo of repos) {
    if (isText(repo) && isDoc(member(asDoc(config.repos), repo))) continue;
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
    if (isText(dependency) && isDoc(member(asDoc(config.workstreams), dependency))) continue;
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

function decisionMapFaults(id: string, stream: Doc): CoordinatorFault[] {
  const kind = stream.completion_barrier;
  if (kind !== 'interface_alignment' && kind !== 'named_decisions') return [];
  const at = `workstreams.${id}.${kind}.decision_ids_by_repo`;
  const map = asDoc(stream[kind]).decision_ids_by_repo;
  if (!isDoc(map))
    return [fault(`workstream_${kind}_invalid`, at, `"${id}" declares no decisions per repository`)];
  return asList(stream.repos).flatMap((repo) => {
    const ids = isText(repo) ? member(map, repo) : undefined;
    const valid =
      Array.isArray(ids) &&
      ids.length > 0 &&
      ids.every((entry) => isText(entry) && DECISION_ID.test(entry)) &&
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

function routingFaults(config: Doc): CoordinatorFault[] {
  return Object.entries(asDoc(config.routing)).flatMap(([phase, route]) => {
    const entry = asDoc(route).entry_workstream;
    const stream = isText(entry) ? member(asDoc(config.workstreams), entry) : undefined;
    if (isDoc(stream) && stream.phase === phase) return [];
    return [
      fault(
        'routing_entry_workstream_invalid',
        `routing.${phase}.entry_workstream`,
        `phase "${phase}" names no workstream of its own`,
      ),
    ];
  });
}

function gateFaults(config: Doc): CoordinatorFault[] {
  return Object.entries(asDoc(config.gates)).flatMap(([id, gate]) =>
    asList(asDoc(gate).requires_repos).flatMap((repo) =>
      isText(repo) && isDoc(member(asDoc(config.repos), repo))
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

function legalPhases(config: Doc): readonly string[] {
  const routed = Object.keys(asDoc(config.routing));
  return routed.length > 0 ? routed : DEFAULT_PHASES;
}

function fault(code: string, field: string, message: string): CoordinatorFault {
  return { code, field, message };
}

function mapDocs<T>(map: unknown, read: (value: Doc) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(asDoc(map)).map(([key, value]) => [key, read(asDoc(value))]));
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
