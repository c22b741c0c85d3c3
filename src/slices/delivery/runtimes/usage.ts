import { asRecord, asString, isRecord, isString, type LooseRecord } from '../../../kernel/json/loose.ts';
import { tryParse } from '../parse.ts';

/** What a program's output says about its work. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Undefined where the program does not know its prices. */
  readonly usd: number | undefined;
  /** The agent's last words. */
  readonly text: string;
}

type Reader = (documents: readonly LooseRecord[]) => Usage | undefined;

const READERS: Readonly<Record<string, Reader>> = {
  claude: readClaude,
  codex: readCodex,
  gemini: readGemini,
  opencode: readOpencode,
};

/** Reads the tokens and the cost from the output of a program whose form is known; undefined if it says nothing. */
export function usageOf(form: unknown, output: string): Usage | undefined {
  const reader = typeof form === 'string' && Object.hasOwn(READERS, form) ? READERS[form] : undefined;
  return reader?.(documentsIn(output));
}

/** One JSON object a line, or one that spans the whole output. */
function documentsIn(output: string): readonly LooseRecord[] {
  const whole = tryParse(output.slice(Math.max(0, output.indexOf('{'))));
  if (isRecord(whole)) return [whole];
  return output
    .split('\n')
    .map((line) => (line.startsWith('{') ? tryParse(line) : undefined))
    .filter(isRecord);
}

const count = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

function readClaude(documents: readonly LooseRecord[]): Usage | undefined {
  const last = documents.findLast((document) => document.type === 'result');
  if (last === undefined) return undefined;
  const usage = asRecord(last.usage);
  return {
    inputTokens:
      count(usage.input_tokens) +
      count(usage.cache_creation_input_tokens) +
      count(usage.cache_read_input_tokens),
    outputTokens: count(usage.output_tokens),
    usd: typeof last.total_cost_usd === 'number' ? last.total_cost_usd : undefined,
    text: asString(last.result) ?? '',
  };
}

function readCodex(documents: readonly LooseRecord[]): Usage | undefined {
  const turns = documents.filter((document) => document.type === 'turn.completed');
  const said = documents.findLast((document) => asRecord(document.item).type === 'agent_message');
  if (turns.length === 0 && said === undefined) return undefined;
  const usages = turns.map((turn) => asRecord(turn.usage));
  return {
    inputTokens: sum(usages.map((usage) => usage.input_tokens)),
    outputTokens: sum(usages.map((usage) => usage.output_tokens)),
    usd: undefined,
    text: asString(asRecord(said?.item).text) ?? '',
  };
}

function readGemini(documents: readonly LooseRecord[]): Usage | undefined {
  const last = documents.findLast(({ stats, response }) => isRecord(stats) || isString(response));
  if (last === undefined) return undefined;
  const tokens = Object.values(asRecord(asRecord(last.stats).models)).map((model) =>
    asRecord(asRecord(model).tokens),
  );
  return {
    inputTokens: sum(tokens.map((each) => each.prompt)),
    outputTokens: sum(tokens.map((each) => count(each.candidates) + count(each.thoughts))),
    usd: undefined,
    text: asString(last.response) ?? '',
  };
}

function readOpencode(documents: readonly LooseRecord[]): Usage | undefined {
  const parts = documents.map((document) => asRecord(document.part));
  const steps = parts.filter((part) => part.type === 'step-finish');
  const said = parts.filter((part) => part.type === 'text');
  if (steps.length === 0 && said.length === 0) return undefined;
  const tokens = steps.map((step) => asRecord(step.tokens));
  const usd = sum(steps.map((step) => step.cost));
  return {
    inputTokens: sum(tokens.map((each) => each.input)),
    outputTokens: sum(tokens.map((each) => count(each.output) + count(each.reasoning))),
    usd: usd > 0 ? usd : undefined,
    text: said.map((part) => asString(part.text) ?? '').join('\n'),
  };
}

function sum(values: readonly unknown[]): number {
  return values.reduce<number>((total, value) => total + count(value), 0);
}

/** The cost of a turn as it was measured: of what the program says itself, or of its tokens at the given prices. */
export function measuredCost(usage: Usage, pricing: LooseRecord): LooseRecord {
  const price = (key: string) => (typeof pricing[key] === 'number' ? pricing[key] : 0);
  const usd =
    usage.usd ??
    (usage.inputTokens * price('input_per_million_usd') +
      usage.outputTokens * price('output_per_million_usd')) /
      1e6;
  return { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens, usd };
}
