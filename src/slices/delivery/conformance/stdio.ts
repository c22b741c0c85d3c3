/** The stdio-fixture-v1 adapter: one fixture on standard input, one answer on standard output, one exit code. */
import { parseDocument } from '../parse.ts';
import { type AdapterResult, execute } from './execute.ts';

const EXIT_CODES: Readonly<Record<AdapterResult['status'], number>> = {
  pass: 0,
  fail: 1,
  error: 2,
  not_implemented: 3,
};

async function answer(): Promise<AdapterResult> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  try {
    return await execute(parseDocument(Buffer.concat(chunks)));
  } catch (error) {
    return { status: 'error', message: error instanceof Error ? error.message : String(error), actual: null };
  }
}

const result = await answer();
process.exitCode = EXIT_CODES[result.status];
process.stdout.write(`${JSON.stringify(result)}\n`);
