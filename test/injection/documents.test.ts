import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { treeText } from '../../src/faces/cli/commands/relay-tree.ts';
import { forPeople, shown, table } from '../../src/faces/cli/output.ts';
import { type PlanText, planText, type ReplayText, replayText } from '../../src/faces/cli/replay-text.ts';
import { coordinatorContextText } from '../../src/slices/delivery/coordinator/rules/texts.ts';
import { reportMarkdown } from '../../src/slices/delivery/runs/report.ts';
import { contextText } from '../../src/slices/delivery/turns/rules/bundle.ts';
import { promptText } from '../../src/slices/delivery/turns/rules/prompt.ts';
import { renderView } from '../../src/slices/relay/channel/view.ts';
import { faultsInDocument, faultsInJson, faultsOnTerminal, skeleton } from './check.ts';
import { corpus } from './corpus.ts';

// biome-ignore lint/suspicious/noExplicitAny: the records are as loose as an agent writes them.
type Loose = any;

const state = (x: string): Loose => ({
  run_id: 'run_1',
  phase: 'build',
  budget_status: { spent_usd: 1, remaining_usd: null },
  last_gate_failure: { reasons: [`Required file is missing: ${JSON.stringify(x)}`] },
});

const planOf = (x: string): PlanText => ({
  ...{ messages: 3, to_send: 1, speaker: x },
  steps: [
    {
      ...{ number: 1, from: x, agent: x, to: x, governed: true, streams: true, exact: false },
      ...{ text: x, why: x },
    },
  ],
});

const replayOf = (x: string): ReplayText => {
  const piece = { after_ms: 1, text: x };
  const side = {
    ...{ state: x, kind: x, latency_ms: 1, first_event_ms: 1, artifacts: 1, pieces: 2 },
    error: { failure_class: x, code: 1, message: x },
    parts: [{ source: x, kind: x, value: x }],
  };
  const compared = {
    ...{ changes: [x], original: side, replayed: side, latency_ratio: 1, text_diff_cut: true },
    text_diff: ['same', 'removed', 'added'].map((op) => ({ op, text: x })),
    pieces: [{ same: false, original: piece, replayed: piece }],
  };
  const step = { number: 1, state: x, agent: x, to: x, exact: true, new_trace_id: x, why: x };
  return {
    ...{ replay_id: x, state: x, why: x, messages: 1, sent: 1, skipped: 0, next: 1 },
    contexts: [{ original: x, replayed: x }],
    steps: [
      { ...step, compared },
      { ...step, agent: 'other', compared: { ...compared, original: null } },
    ],
  };
};

/** Every document that one author can write into, with the text in every place. */
const DOCUMENTS: Readonly<Record<string, (x: string) => string>> = {
  'PROMPT.md': (x) =>
    promptText({
      state: state(x),
      config: {
        roles: { dev: { title: 'Developer', mandate: 'Build it', write_authority: 'authoritative' } },
        project: { goal: x },
        phases: ['build'],
        routing: {},
        gates: {},
        artifacts: {},
      } as Loose,
      turn: {
        turn_id: 'turn_1',
        assigned_role: 'dev',
        runtime_id: 'm',
        attempt: 2,
        last_rejection: { reason: x, validation_errors: [], failed_stage: null },
        delegation_context: {
          parent_role: x,
          charter: x,
          acceptance_contract: [x],
          required_decision_ids: [x],
        },
        conflict_context: { accepted_since: [x], conflicting_files: [x] },
      } as Loose,
      stagingPath: 'staging.json',
      ledger: [],
      gate: {
        name: x,
        files: [x],
        reasons: [],
        missingFiles: [],
        failingFiles: [],
        verificationFailed: false,
      },
    }),
  'CONTEXT.md': (x) =>
    contextText(
      { ...state('one two'), last_gate_failure: null },
      [
        {
          accepted_sequence: 1,
          role: x,
          phase: x,
          status: x,
          summary: x,
          objections: [{ id: x, severity: x, statement: x }],
        } as Loose,
      ],
      [{ id: x, role: x, category: x, statement: x } as Loose],
    ),
  'COORDINATOR_CONTEXT.md': (x) =>
    coordinatorContextText({
      super_run_id: x,
      workstream_id: x,
      required_decision_ids: [x],
      accepted_elsewhere: [{ repo_id: x, summary: x, files_changed: [x] }],
    }),
  'run report': (x) =>
    reportMarkdown({
      project: x,
      runId: 'run_1',
      status: 'active',
      phase: x,
      spentUsd: 0,
      turns: [
        { accepted_sequence: 1, role: x, phase: x, status: x, verification: { status: x }, summary: x },
      ],
      decisions: [{ id: x, role: x, category: x, statement: x }],
      objections: [{ id: x, role: x, severity: x, status: x, statement: x }],
      gates: { [x]: x },
      approvals: [{ gate: x, approved_by: x, created_at: x }],
      delegations: [{ id: x, to_role: x, charter: x }],
      hooks: [{ hook_phase: x, hook_name: x, orchestrator_action: x }],
      blockedOn: null,
      attached: false,
      next: 'baton run step',
    }),
  'channel view': (x) => renderView(channel(x), 'markdown').text,
};

const channel = (x: string): Loose => ({
  channel: { id: 'AB45', title: x },
  onboarding: 'Hello.',
  participate: ['Take part'],
  spec: { payload: x },
  state: { payload: [x] },
  agents: [],
  recent_events: [
    {
      seq: 1,
      created_at: '2026-01-01T00:00:00Z',
      kind: x,
      author: x,
      payload: { [x]: { deep: [x, { [x]: x }] } },
    },
  ],
});

describe('the corpus', () => {
  it('has at least 500 injections, all different', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(500);
    expect(new Set(corpus.map(({ text }) => text)).size).toBe(corpus.length);
  });

  it('is noticed where nothing renders it', () => {
    const missed = corpus.filter(
      (one) =>
        faultsInDocument(`# Ours\n\n${one.text}\n`, [one]).length === 0 &&
        faultsOnTerminal(`${one.text}\n`, [one]).length === 0,
    );
    expect(missed.map(({ name }) => name)).toEqual([]);
  });
});

describe.each(Object.entries(DOCUMENTS))('%s', (_, write) => {
  const plain = skeleton(write('one two'));

  it('has no unquoted line of any injection, and the same lines of ours', () => {
    for (const one of corpus) {
      const document = write(one.text);
      expect(faultsInDocument(document, [one]), one.name).toEqual([]);
      expect(skeleton(document), one.name).toBe(plain);
    }
  });

  it('keeps its own lines whatever Unicode is written into it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }), (text) => {
        // A text of plain signs alone may stand without quotes.
        const x = `${text} two`;
        expect(skeleton(write(x))).toBe(plain);
        expect(faultsInDocument(write(x), [])).toEqual([]);
      }),
    );
  });
});

describe('other texts', () => {
  it('are no other JSON or YAML for an injection', () => {
    for (const one of corpus) {
      expect(faultsInJson(renderView(channel(one.text), 'json').text), one.name).toEqual([]);
      expect(JSON.parse(renderView(channel(one.text), 'json').text)).toEqual(channel(one.text));
      expect(faultsInDocument(renderView(channel(one.text), 'yaml').text, [one]), one.name).toEqual([]);
    }
  });

  it('begin no line of a terminal with an injection: trees, tables and members with names of others', () => {
    for (const one of corpus) {
      const x = one.text;
      const span = {
        trace_id: x,
        span_id: 'a',
        parent_span_id: null,
        name: x,
        start: '2026-01-01T00:00:00.000Z',
        duration_ms: 1,
        status: 'ok',
        attributes: { 'agent.id': x, 'graph.node.parent_id': x, 'o2r.message.text': x, 'o2r.task.state': x },
        events: [{ name: 'o2r.task.state_change', attributes: { from: x, to: x } }],
      };
      const rows = [
        { [x]: x, title: x },
        { [x]: [x], title: { [x]: x } },
      ];
      const shownRows = table(rows);
      expect(shownRows.split('\n')).toHaveLength(3);
      for (const output of [
        treeText([span as Loose]),
        planText(planOf(x)),
        replayText(replayOf(x)),
        shownRows,
        forPeople({ [x]: x, list: [x, x], deep: { [x]: { [x]: x } }, rows }),
        forPeople(shown(rows)),
      ]) {
        expect(faultsOnTerminal(output, [one]), one.name).toEqual([]);
      }
    }
  });
});
