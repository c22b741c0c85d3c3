/** What a call did, as a line that somebody else can read later. Pure. */
import type { ToolCall, ToolResult } from '../clients/event.ts';
import type { Step } from '../clients/steps.ts';
import type { ActivityKind } from './store.ts';

export interface Outcome {
  readonly kind: Extract<ActivityKind, 'command' | 'file' | 'tool'>;
  readonly text: string;
  readonly ok: boolean | null;
  readonly detail: string | null;
  /** Files inside the repository that it wrote or deleted. */
  readonly touched: readonly string[];
}

const MOST_LINE = 400;
const MOST_DETAIL = 300;

/** Undefined for what leaves no trace worth keeping: reading and searching. */
export function outcomeOf(call: ToolCall, steps: readonly Step[], result: ToolResult): Outcome | undefined {
  const touched = steps
    .filter(({ action, parameters }) => /^file\.(?:write|delete)$/.test(action) && parameters.inside === true)
    .map(({ parameters }) => String(parameters.path));
  const command = steps.find(({ action }) => action === 'shell.run');
  if (command) {
    const line = String(command.parameters.line);
    const failed =
      result.ok === false ||
      /(?:^|\n)(?:Exit [Cc]ode:?|Process exited with code) (?!0\b)-?\d+/.test(result.text);
    const ok = failed ? false : (result.ok ?? null);
    const telling = ok === false || isTest(line) ? lastLines(result.text) : null;
    return { kind: 'command', text: head(line, MOST_LINE), ok, detail: telling, touched };
  }
  const ok = result.ok ?? null;
  if (touched.length > 0)
    return { kind: 'file', text: touched.slice(0, 20).join(', '), ok, detail: null, touched };
  const [first] = steps;
  if (first === undefined || first.action === 'file.read') return undefined;
  const detail = ok === false ? lastLines(result.text) : null;
  return { kind: 'tool', text: toolLine(call.tool, first), ok, detail, touched };
}

function toolLine(tool: string, { action, parameters }: Step): string {
  if (action === 'mcp.call') return `${parameters.server}/${parameters.name}`;
  if (action === 'web.fetch') return `${tool} ${head(String(parameters.url), 200)}`;
  if (action === 'web.search') return `${tool} ${head(String(parameters.query), 200)}`;
  return tool;
}

const TEST =
  /\b(?:npm (?:run )?test|npx? (?:vitest|jest|mocha|playwright)|(?:pnpm|yarn|bun) (?:run )?test|vitest|jest|pytest|python3? -m (?:pytest|unittest)|cargo test|go test|dotnet test|mvn test|gradle test|rspec|phpunit|ctest|make (?:test|check)|tox|node --test|deno test)\b/;

export function isTest(line: string): boolean {
  return TEST.test(line);
}

/** Whether a line makes a commit. */
export function commits(steps: readonly Step[]): boolean {
  return steps.some(
    ({ action, parameters }) =>
      action === 'shell.run' &&
      parameters.program === 'git' &&
      ['commit', 'merge', 'cherry-pick', 'revert', 'rebase', 'am', 'pull'].includes(
        String(parameters.subcommand),
      ),
  );
}

/** Programs say at the end how it went. */
function lastLines(text: string): string | null {
  const lines = text.trim().split('\n').slice(-4).join('\n').trim();
  return lines === '' ? null : lines.slice(-MOST_DETAIL);
}

function head(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
