import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { blobIdOf } from '../faces/cli/anchors/blob-id.ts';
import { repositoryAround } from '../faces/cli/anchors/repository.ts';
import { FILES_FIELD } from '../faces/mcp/actions.ts';
import { boundTo, type FileCall, type McpDeps } from '../faces/mcp/call.ts';
import { mcpErrors } from '../faces/mcp/errors.ts';
import type { App } from './compose.ts';

const LARGEST_UPLOAD = 32 * 1024 * 1024;

/** Over stdio the agent's files are here: a path is enough, and Baton reads, hashes and uploads what it names. */
export function filesBeside({ mcp }: Pick<App, 'mcp'>, folder: string): NonNullable<McpDeps['readFiles']> {
  return async (call) => {
    const { input } = call;
    const anchors =
      input[FILES_FIELD] === undefined ? undefined : await anchorsOf(folder, input[FILES_FIELD]);
    const delivered = await deliveredFiles(mcp, folder, call);
    if (!anchors && !delivered) return input;
    const { [FILES_FIELD]: _, ...rest } = input;
    const given = Array.isArray(input['x-anchors']) ? input['x-anchors'] : [];
    return {
      ...rest,
      ...(anchors && { 'x-anchors': [...given, ...anchors] }),
      ...(delivered && { deliverables: delivered }),
    };
  };
}

async function anchorsOf(folder: string, files: unknown) {
  if (!Array.isArray(files))
    throw mcpErrors.file_refused({ message: 'files is a list of paths.', pointer: '/files' });
  const anchors = [];
  for (const [at, file] of files.entries()) {
    const { path, real } = await insideOf(folder, file, `/files/${at}`);
    const blob = await blobIdOf(real);
    if (blob === undefined) throw refused(file, 'is no file', `/files/${at}`);
    anchors.push({ path, blob });
  }
  return anchors;
}

/** Those that are given as a path alone; the others stay as they are. */
async function deliveredFiles(mcp: McpDeps, folder: string, call: FileCall) {
  const { deliverables } = call.input;
  if (!Array.isArray(deliverables) || !deliverables.some((each) => typeof each === 'string'))
    return undefined;
  const filled: unknown[] = [];
  for (const [at, each] of deliverables.entries()) {
    filled.push(
      typeof each === 'string' ? await delivered(mcp, folder, call, each, `/deliverables/${at}`) : each,
    );
  }
  return filled;
}

async function delivered(mcp: McpDeps, folder: string, call: FileCall, file: string, pointer: string) {
  const { path, real } = await insideOf(folder, file, pointer);
  const { size } = await stat(real);
  if (size > LARGEST_UPLOAD) throw refused(file, `has more than ${LARGEST_UPLOAD} bytes`, pointer);
  const bytes = await readFile(real);
  const hash = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  const { principal, input } = call;
  const request = new Request('http://localhost/', { method: 'PUT', body: new Uint8Array(bytes) });
  const project_id = String(input.project ?? input.project_id ?? principal.defaultProject);
  await mcp.dispatcher.raw(boundTo(mcp, 'blobs.put'), request, {
    principal,
    parts: { path: { project_id, hash }, query: {}, headers: {}, document: undefined },
    requestId: mcp.newRequestId(),
    signal: request.signal,
  });
  return { path, type: 'file', hash, size_bytes: bytes.byteLength };
}

/**
 * The file by its path in the repository, or in the working directory where there is none. Links are followed before it
 * is decided what is inside: an agent must not have Baton read what it could not name.
 */
async function insideOf(folder: string, file: unknown, pointer: string) {
  if (typeof file !== 'string' || file === '' || file.includes('\0'))
    throw refused(String(file), 'is no path', pointer);
  const root = await realpath(repositoryAround(folder) ?? folder);
  const real = await realpath(resolve(folder, file)).catch(() => undefined);
  if (real === undefined) throw refused(file, 'does not exist', pointer);
  const path = relative(root, real);
  const parts = path.split(sep);
  if (path === '' || isAbsolute(path) || parts[0] === '..' || parts[0] === '.git') {
    throw refused(file, 'is outside the working directory and its repository', pointer);
  }
  if (!(await stat(real)).isFile()) throw refused(file, 'is no file', pointer);
  return { path: parts.join('/'), real };
}

function refused(file: string, why: string, pointer: string) {
  return mcpErrors.file_refused({ message: `${JSON.stringify(file)} ${why}.`, pointer });
}
