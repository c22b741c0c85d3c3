import { asList, asRecord, asStrings, isRecord, isString } from '../../../kernel/json/loose.ts';
import { environmentOfOthers } from '../environment.ts';
import { tryParse } from '../parse.ts';
import {
  failed,
  type RuntimeAdapter,
  type RuntimeCall,
  redact,
  runtimeHeaders,
  turnRequest,
} from './adapter.ts';

const DEFAULT_TOOL = 'agentxchain_turn';

/** An MCP server that offers one tool: the turn in, the turn result out. */
export const mcpAdapter: RuntimeAdapter = async (call) => {
  const tool = isString(call.runtime.tool_name) ? call.runtime.tool_name : DEFAULT_TOOL;
  // Loaded on use: most commands never use MCP, and start-up time matters.
  const { Client } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'baton', version: '1' });
  try {
    await client.connect(await openTransport(call));
    const answer = await client.callTool(
      { name: tool, arguments: turnRequest(call) },
      { timeout: call.timeoutMs, ...(call.signal === undefined ? {} : { signal: call.signal }) },
    );
    if (answer.isError === true) return failed(`The tool "${tool}" failed: ${redact(textOf(answer))}`, true);
    const result = isRecord(answer.structuredContent) ? answer.structuredContent : tryParse(textOf(answer));
    return isRecord(result)
      ? { kind: 'result', result }
      : failed(`The tool "${tool}" did not answer with a turn result.`, true);
  } catch (error) {
    return failed(redact(error instanceof Error ? error.message : String(error)), true);
  } finally {
    await client.close().catch(() => {});
  }
};

async function openTransport({ runtime, root }: RuntimeCall) {
  if (runtime.transport === 'streamable_http') {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const resolved = runtimeHeaders(runtime.headers);
    if ('missing' in resolved) throw new Error(`The environment variable ${resolved.missing} is not set.`);
    return new StreamableHTTPClientTransport(new URL(String(runtime.url)), {
      requestInit: { headers: resolved.headers },
    });
  }
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const [program = '', ...words] = isString(runtime.command) ? [runtime.command] : asStrings(runtime.command);
  return new StdioClientTransport({
    command: program,
    args: [...words, ...asStrings(runtime.args)],
    cwd: root,
    stderr: 'ignore',
    env: Object.fromEntries(
      Object.entries({ ...environmentOfOthers(), ...asRecord(runtime.env) }).filter(
        (entry): entry is [string, string] => isString(entry[1]),
      ),
    ),
  });
}

function textOf(answer: { readonly content?: unknown }): string {
  return asList(answer.content)
    .map((part) => asRecord(part).text)
    .filter(isString)
    .join('\n');
}
