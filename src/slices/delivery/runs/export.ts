import { readFile } from 'node:fs/promises';
import type { Hasher } from '../../../kernel/hasher.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import { asRecord, isRecord, isString, type LooseRecord } from '../../../kernel/json/loose.ts';
import { deliveryErrors } from '../errors.ts';
import { tryParse } from '../parse.ts';
import { FILES, within } from '../repository/paths.ts';
import type { RunRepository } from '../repository/repository.ts';

const EXPORT_VERSION = '0.3';

const EXPORTED = [
  FILES.config,
  FILES.state,
  FILES.history,
  FILES.ledger,
  FILES.repoDecisions,
  FILES.events,
  FILES.runHistory,
  FILES.hookAudit,
  FILES.hookAnnotations,
  FILES.talk,
  FILES.attached,
];

/** Exports every governed file in one document: its bytes, their digest, and the parsed content. */
export async function exportRun(repository: RunRepository): Promise<LooseRecord> {
  const { state } = await repository.snapshot();
  const records = await repository.records();
  const files: Record<string, LooseRecord> = {};
  for (const path of EXPORTED) {
    const bytes = await readFile(within(records, path)).catch(() => undefined);
    if (bytes === undefined) continue;
    files[path] = {
      sha256: repository.hasher.hex(bytes),
      bytes: bytes.byteLength,
      content_base64: bytes.toString('base64'),
      data: dataOf(path, bytes.toString('utf8')),
    };
  }
  return {
    schema_version: EXPORT_VERSION,
    export_kind: 'governed_run',
    exported_at: formatMillis(repository.clock.now()),
    run_id: state.run_id,
    files,
  };
}

function dataOf(path: string, text: string): unknown {
  if (path.endsWith('.json')) return tryParse(text) ?? null;
  if (!path.endsWith('.jsonl')) return text;
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => tryParse(line) ?? null);
}

/** What is wrong with an export: bytes that differ from their digest, data that differs from its bytes. */
export function exportFaults(document: unknown, hasher: Hasher): readonly string[] {
  if (!isRecord(document) || document.schema_version !== EXPORT_VERSION || !isRecord(document.files)) {
    return [`The document is not an export of version ${EXPORT_VERSION}.`];
  }
  return Object.entries(document.files).flatMap(([path, raw]) => {
    const file = asRecord(raw);
    if (!isString(file.content_base64)) return [`${path} has no content.`];
    const bytes = Buffer.from(file.content_base64, 'base64');
    const faults: string[] = [];
    if (hasher.hex(bytes) !== file.sha256) faults.push(`${path} does not have the digest that it claims.`);
    if (bytes.byteLength !== file.bytes) faults.push(`${path} does not have the size that it claims.`);
    if (JSON.stringify(dataOf(path, bytes.toString('utf8'))) !== JSON.stringify(file.data)) {
      faults.push(`${path} shows other data than its bytes hold.`);
    }
    return faults;
  });
}

export function requireVerifiedExport(document: unknown, hasher: Hasher): LooseRecord {
  const faults = exportFaults(document, hasher);
  if (faults.length > 0)
    throw deliveryErrors.export_unverified({ message: faults.join(' '), details: { faults } });
  return document as LooseRecord;
}

/** A file's data out of an export. */
export function exported(document: LooseRecord, path: string): unknown {
  return asRecord(asRecord(document.files)[path]).data;
}
