import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';

/** A side of a comparison: does the work once and answers how many units it did. */
export type Side = () => Promise<number> | number;

export interface Goal {
  readonly text: string;
  /** Given the median rate (units per second) of each side, and how ours stands to each in the median round. */
  readonly met: (rates: Readonly<Record<string, number>>, kept: Readonly<Record<string, number>>) => boolean;
}

export interface Comparison {
  readonly title: string;
  readonly unit: string;
  /** The first is ours; the others are what it is measured against. */
  readonly sides: Readonly<Record<string, Side>>;
  readonly goals: readonly Goal[];
  /** At least five; the machine is noisy. */
  readonly rounds?: number;
}

export interface Fact {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal?: { readonly text: string; readonly met: boolean };
}

/** What a case hands back: rates compared side by side, and single figures. */
export interface Report {
  readonly comparisons?: readonly Comparison[];
  readonly facts?: readonly Fact[];
  readonly close?: () => Promise<void> | void;
}

export interface BenchCase {
  readonly name: string;
  readonly title: string;
  prepare(): Promise<Report> | Report;
}

interface Row {
  readonly side: string;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  readonly ratio: number;
  /** The median, over the rounds, of our rate divided by this side's in the same round: what a busy machine spares. */
  readonly kept: number;
  /** Median of the microseconds of CPU that one unit took, in this process: other programs change it little. */
  readonly cpu: number;
}

/** Runs a case, prints it, and writes JSON and Markdown. Answers whether every goal was met. */
export async function runCase(benchCase: BenchCase, resultsDir: string): Promise<boolean> {
  const loadBefore = loadavg();
  const lines = [`# ${benchCase.title}`, '', machineLine(loadBefore), ''];
  const json: Record<string, unknown> = {
    name: benchCase.name,
    machine: machine(loadBefore),
    comparisons: [],
    facts: [],
  };
  let allMet = true;
  const report = await benchCase.prepare();
  for (const comparison of report.comparisons ?? []) {
    const rows = await compare(comparison);
    const rates = Object.fromEntries(rows.map((row) => [row.side, row.rate]));
    const kept = Object.fromEntries(rows.map((row) => [row.side, row.kept]));
    const goals = comparison.goals.map((goal) => ({ text: goal.text, met: goal.met(rates, kept) }));
    allMet &&= goals.every((goal) => goal.met);
    lines.push(
      `## ${comparison.title}`,
      '',
      `| side | ${comparison.unit}/s (median) | range | ratio to ours | ours by it, round by round | µs of this process each |`,
      '|---|---|---|---|---|---|',
    );
    for (const row of rows) {
      lines.push(
        `| ${row.side} | ${figure(row.rate)} | ${figure(row.low)}–${figure(row.high)} | ${row.ratio.toFixed(2)} | ${row.kept.toFixed(2)} | ${figure(row.cpu)} |`,
      );
    }
    lines.push('', ...goals.map((goal) => `- ${goal.met ? 'met' : 'MISSED'}: ${goal.text}`), '');
    (json.comparisons as unknown[]).push({ title: comparison.title, unit: comparison.unit, rows, goals });
  }
  for (const fact of report.facts ?? []) {
    const verdict = fact.goal ? ` — ${fact.goal.met ? 'met' : 'MISSED'}: ${fact.goal.text}` : '';
    lines.push(`- ${fact.name}: ${figure(fact.value)} ${fact.unit}${verdict}`);
    allMet &&= fact.goal?.met ?? true;
    (json.facts as unknown[]).push(fact);
  }
  await report.close?.();
  const page = `${lines.join('\n')}\n`;
  console.log(page);
  await mkdir(resultsDir, { recursive: true });
  await writeFile(join(resultsDir, `${benchCase.name}.json`), `${JSON.stringify(json, null, 2)}\n`);
  await writeFile(join(resultsDir, `${benchCase.name}.md`), page);
  return allMet;
}

/** Sides take turns in every round, in an order that rotates, so that a slow moment hits all of them alike. */
async function compare(comparison: Comparison): Promise<Row[]> {
  const names = Object.keys(comparison.sides);
  const rates = new Map<string, number[]>(names.map((name) => [name, []]));
  const costs = new Map<string, number[]>(names.map((name) => [name, []]));
  const rounds = Math.max(5, comparison.rounds ?? 5);
  for (const name of names) await comparison.sides[name]!();
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length]!;
      const [started, used] = [performance.now(), process.cpuUsage()];
      const units = await comparison.sides[name]!();
      rates.get(name)!.push(units / ((performance.now() - started) / 1000));
      const { user, system } = process.cpuUsage(used);
      costs.get(name)!.push((user + system) / units);
    }
  }
  const ours = rates.get(names[0]!)!;
  return names.map((side) => {
    const seen = rates.get(side)!;
    const rate = median(seen);
    return {
      side,
      rate,
      low: Math.min(...seen),
      high: Math.max(...seen),
      ratio: rate / median(ours),
      kept: median(seen.map((theirs, round) => ours[round]! / theirs)),
      cpu: median(costs.get(side)!),
    };
  });
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

function machine(load: readonly number[]) {
  return {
    node: process.version,
    cores: availableParallelism(),
    cpu: cpus()[0]?.model,
    load_before: load,
    at: new Date().toISOString(),
  };
}

function machineLine(load: readonly number[]): string {
  return `Node ${process.version}, ${availableParallelism()} cores (${cpus()[0]?.model}), load average ${load.map((value) => value.toFixed(2)).join(' ')} before the run.`;
}

function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}
