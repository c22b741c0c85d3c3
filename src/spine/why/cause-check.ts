import type { DerivedCheck } from '../journal/verify/derived-slot.ts';
import type { Faults } from '../journal/verify/report.ts';
import { reportFault } from '../journal/verify/report-derived.ts';
import type { Reader } from '../storage/database.ts';
import {
  type AccountText,
  type Cause,
  causesOf,
  hasCauses,
  readCauseCursor,
  selectAccounts,
  selectCauses,
} from './cause-store.ts';

const PAGE = 500;
/** So many rows are looked for in one statement. */
const AT_ONCE = 50;

/** Compares the index of what rests on what with the accounts, which are proved themselves, in both directions. */
export const causeCheck: DerivedCheck = {
  tables: ['why_causes'],
  async run(reader, faults, pause) {
    await findSurplus(reader, faults, pause);
    return findMissing(reader, faults, pause);
  },
};

/** Of accounts that the index has not come to, nothing need be there. */
async function findMissing(reader: Reader, faults: Faults, pause: () => Promise<void>): Promise<number> {
  const last = await readCauseCursor(reader);
  let compared = 0;
  for (let after = -1; ; ) {
    const accounts = await selectAccounts(reader, after, last, PAGE);
    const wanted = accounts.flatMap(causesIn);
    for (let at = 0; at < wanted.length; at += AT_ONCE) {
      const some = wanted.slice(at, at + AT_ONCE);
      const there = new Set((await hasCauses(reader, some)).map(keyOf));
      for (const cause of some) {
        if (!there.has(keyOf(cause))) reportFault(faults, 'derived_missing', 'why_causes', keyOf(cause));
      }
    }
    compared += wanted.length;
    const end = accounts.at(-1);
    if (!end || accounts.length < PAGE) return compared;
    after = end.leaf;
    await pause();
  }
}

async function findSurplus(reader: Reader, faults: Faults, pause: () => Promise<void>): Promise<void> {
  for (let after: Cause | undefined; ; ) {
    const page = await selectCauses(reader, after, PAGE);
    for (const { cause, account } of page) {
      const key = keyOf(cause);
      if (!account || !causesIn(account).some((wanted) => keyOf(wanted) === key))
        reportFault(faults, 'derived_surplus', 'why_causes', key);
    }
    const last = page.at(-1)?.cause;
    if (last === undefined || page.length < PAGE) return;
    if (after && keyOf(after) === keyOf(last)) throw new Error('the pages of the index do not end');
    after = last;
    await pause();
  }
}

/** An account that somebody edited may be no JSON any more, which is said where its table is compared. */
function causesIn(account: AccountText): Cause[] {
  try {
    return causesOf(account);
  } catch {
    return [];
  }
}

const keyOf = ({ sourceId, sourceKind, projectId, leaf, role }: Cause) =>
  [sourceId, sourceKind, projectId, leaf, role].join(' ');
