import { BatonError } from '../../../kernel/error.ts';
import { cosignedAt } from '../../../kernel/note/cosignature.ts';
import { parseNote, parseSignature, type VerifyEd25519 } from '../../../kernel/note/signed-note.ts';
import type { VerifierKey } from '../../../kernel/note/verifier-key.ts';
import type { Reader } from '../../storage/database.ts';
import { type CosignatureRow, selectCosignedNotes } from '../witness/witness-store.ts';
import type { Faults } from './report.ts';

const AT_ONCE = 500;

/** Checks the stored cosignatures of the witnesses whose keys are known; of others, only that they belong to a checkpoint. */
export async function checkCosignatures(
  reader: Reader,
  trust: { readonly witnesses: readonly VerifierKey[]; readonly verify: VerifyEd25519 },
  faults: Faults,
  seen: (key: VerifierKey, size: number, time: number) => void,
): Promise<void> {
  for (let after = { size: -1, witness: '' }; ; ) {
    const rows = await selectCosignedNotes(reader, after, AT_ONCE);
    for (const row of rows) {
      const key = trust.witnesses.find(({ name }) => name === row.witness);
      const time = await timeOf(row, key, trust.verify);
      if (time === 'forged') {
        faults.add({
          kind: 'cosignature_forged',
          message: `The cosignature of ${row.witness} does not fit the checkpoint of ${row.size} events.`,
          leaf: row.size - 1,
          table: 'cosignatures',
          key: `${row.size}/${row.witness}`,
        });
      } else if (key) seen(key, row.size, time);
    }
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) return;
    after = { size: last.size, witness: last.witness };
  }
}

async function timeOf(
  { note, line, witness, time_s }: CosignatureRow & { readonly note: string | null },
  key: VerifierKey | undefined,
  verify: VerifyEd25519,
): Promise<number | 'forged'> {
  if (note === null) return 'forged';
  try {
    const signature = parseSignature(line.replace(/\n$/, ''));
    if (signature.name !== witness) return 'forged';
    if (!key) return time_s;
    const time =
      signature.keyId === key.keyId && (await cosignedAt(parseNote(note).text, signature, key, verify));
    return time === time_s ? time_s : 'forged';
  } catch (error) {
    if (error instanceof BatonError) return 'forged';
    throw error;
  }
}
