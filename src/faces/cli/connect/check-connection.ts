import { connectErrors } from './errors.ts';
import type { ServerEntry } from './server-entry.ts';

const STDERR_SHOWN = 400;
const PATIENCE = { timeout: 30_000 };

export interface Checked {
  readonly tools: number;
  /** What orient answered. */
  readonly briefing: string;
}

/**
 * Starts the server as the editor would, with only the environment that any client passes on, and reads the project's
 * orientation: as a resource, because the tool would open a session that nobody works in.
 */
export async function checkConnection(entry: ServerEntry, project: string, cwd: string): Promise<Checked> {
  const { Client } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const transport = new StdioClientTransport({
    command: entry.command,
    args: [...entry.args],
    cwd,
    stderr: 'pipe',
  });
  let complaint = '';
  transport.stderr?.on('data', (text: Buffer) => {
    complaint = `${complaint}${text}`.slice(-STDERR_SHOWN);
  });
  const client = new Client({ name: 'baton-connect', version: '1' });
  try {
    await client.connect(transport, PATIENCE);
    const { tools } = await client.listTools({}, PATIENCE);
    const uri = `agp://project/${encodeURIComponent(project)}`;
    const { contents } = await client.readResource({ uri }, PATIENCE);
    const [first] = contents as { readonly text?: string }[];
    return { tools: tools.length, briefing: first?.text ?? '' };
  } catch (cause) {
    const reason = complaint.trim() || (cause instanceof Error ? cause.message : String(cause));
    throw connectErrors.connection_silent({
      message: `${[entry.command, ...entry.args].join(' ')} does not answer: ${reason}`,
      cause,
    });
  } finally {
    await client.close().catch(() => undefined);
  }
}
