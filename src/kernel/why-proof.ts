/** One file that shows where something came from, with a proof of every step, for anyone who trusts the log's key. */
import { digestOf, formatDigest } from './digest.ts';
import { BatonError } from './error.ts';
import type { Hasher } from './hasher.ts';
import { readJson } from './json/reader.ts';
import { isJsonObject, type Json, type JsonObject } from './json/value.ts';
import type { VerifyEd25519 } from './note/signed-note.ts';
import { checkProofBundle, formatProofBundle, type ProofBundle, type ProofReport } from './proof-bundle.ts';
import {
  checkRows,
  formatRow,
  type ProvedRow,
  RowFault,
  type RowsReport,
  rowsDigest,
} from './proved-rows.ts';

export const WHY_PROOF_FORMAT = 'baton-why/2';
/** Earlier files hold no rows. */
const WITHOUT_ROWS = 'baton-why/1';
export const WHY_PROOF_FORMATS: readonly Json[] = [WHY_PROOF_FORMAT, WITHOUT_ROWS];
export const WHY_EVENT = 'why.explained';
/** The table in which the words of steps are kept. */
const ACCOUNTS = 'why_accounts';

export interface WhyProofContent {
  /** The explanation, as it was returned. */
  readonly chain: Json;
  /** Proof of the event which records that this explanation was given. */
  readonly attestation: ProofBundle;
  /** One for each step. */
  readonly proofs: readonly ProofBundle[];
  /** The rows that the explanation rests on. */
  readonly rows: readonly ProvedRow[];
  /** Proofs of the events that recorded them. */
  readonly records: readonly ProofBundle[];
}

export interface WhyProofReport {
  readonly valid: boolean;
  readonly trusted: boolean;
  readonly steps: number;
  readonly tree_size: number | null;
  readonly origin: string | null;
  /** The rows that the explanation rests on; null for a file of an earlier version, which has none. */
  readonly state: RowsReport | null;
  /** Why it is not valid, and which step, or row of which table, shows it. */
  readonly error: {
    readonly step: string;
    readonly message: string;
    readonly table?: string;
    readonly key?: string;
  } | null;
}

interface WhyStep {
  readonly name: string;
  readonly value: JsonObject;
}

/** Events are included exactly as hashed, so the file is assembled as text. */
export function formatWhyProof({ chain, attestation, proofs, rows, records }: WhyProofContent): string {
  const bundles = (all: readonly ProofBundle[]) =>
    all.map((proof) => formatProofBundle(proof).trim()).join(',\n');
  return `{
"format": "${WHY_PROOF_FORMAT}",
"chain": ${JSON.stringify(chain, null, 1)},
"attestation": ${formatProofBundle(attestation).trim()},
"proofs": [
${bundles(proofs)}
],
"rows": [
${rows.map(formatRow).join(',\n')}
],
"records": [
${bundles(records)}
]
}
`;
}

/** What the journal keeps of an explanation, so that none of it can be changed later. */
export function whyDigests(
  hasher: Hasher,
  chain: Json,
): { readonly chain: string; readonly steps: string[] } {
  return {
    chain: formatDigest(digestOf(hasher, 'jcs', chain)),
    steps: stepsOf(chain).map(({ value }) => digestOf(hasher, 'jcs', value).hex),
  };
}

export async function checkWhyProof(
  text: string,
  hasher: Hasher,
  verifyEd25519: VerifyEd25519,
  trustedKey?: string,
): Promise<WhyProofReport> {
  const report = { trusted: trustedKey !== undefined, steps: 0, tree_size: null, origin: null, state: null };
  const check = (bundle: Json) => checkProofBundle(bundle, hasher, verifyEd25519, trustedKey);
  try {
    const file = readJson(text);
    if (!isJsonObject(file) || !WHY_PROOF_FORMATS.includes(file.format ?? null)) {
      throw new WhyFault('file', `The file does not say that it is a ${WHY_PROOF_FORMAT}.`);
    }
    const steps = stepsOf(file.chain ?? null);
    const proved = await proofsOf(file, check);
    const state = await stateOf(hasher, file, proved.attested, check);
    for (const step of steps) compareWithAccount(step, state?.accounts);
    for (const step of steps) compare(step, proved.events);
    if (proved.events.size > new Set(steps.map(({ value }) => value.event_id)).size) {
      throw new WhyFault('proofs', 'The file proves an event that is no step of the chain.');
    }
    compareDigests(whyDigests(hasher, file.chain ?? null), steps, proved.attested);
    const { tree_size, origin } = proved;
    const counted = state?.report ?? null;
    return { ...report, valid: true, steps: steps.length, tree_size, origin, state: counted, error: null };
  } catch (cause) {
    if (cause instanceof RowFault) {
      const { table, key, message } = cause;
      const place = table === undefined || key === undefined ? undefined : { table, key };
      return {
        ...report,
        valid: false,
        error: { step: place ? `${table} ${key}` : 'rows', message, ...place },
      };
    }
    if (cause instanceof WhyFault) {
      return { ...report, valid: false, error: { step: cause.step, message: cause.message } };
    }
    if (!(cause instanceof BatonError)) throw cause;
    return { ...report, valid: false, error: { step: 'file', message: cause.message } };
  }
}

/** A verdict, not an error of the product: it never leaves this file. */
class WhyFault extends Error {
  readonly step: string;

  constructor(step: string, message: string) {
    super(message);
    this.step = step;
  }
}

/** Every step of a chain, named as a person would look for it. */
function stepsOf(chain: Json): WhyStep[] {
  const nodes =
    isJsonObject(chain) && Array.isArray(chain.nodes) ? (chain.nodes as readonly Json[]) : undefined;
  if (!nodes) throw new WhyFault('chain', 'The chain has no nodes.');
  return nodes.flatMap((node) => {
    if (!isJsonObject(node) || !Array.isArray(node.steps))
      throw new WhyFault('chain', 'A node has no steps.');
    return (node.steps as readonly Json[]).map((value) => {
      if (!isJsonObject(value)) throw new WhyFault('chain', 'A step is no object.');
      return { name: `${value.type} of ${node.kind} ${node.id}, leaf ${value.leaf}`, value };
    });
  });
}

type CheckBundle = (bundle: Json) => Promise<ProofReport>;

async function proofsOf(file: JsonObject, check: CheckBundle) {
  const attestation = file.attestation ?? null;
  const attested = await check(attestation);
  if (!attested.valid) throw new WhyFault('attestation', attested.error?.message ?? 'It is not valid.');
  const events = await provedEvents(file, 'proofs', check);
  const event = isJsonObject(attestation) && isJsonObject(attestation.event) ? attestation.event : undefined;
  return { events, attested: event, tree_size: attested.tree_size, origin: attested.origin };
}

/** The events of a list of proofs, by id, each with its leaf. All are of the log that attests the explanation. */
async function provedEvents(
  file: JsonObject,
  list: 'proofs' | 'records',
  check: CheckBundle,
): Promise<ReadonlyMap<Json | undefined, JsonObject>> {
  const bundles = file[list];
  if (!Array.isArray(bundles)) throw new WhyFault(list, `The file has no ${list}.`);
  const key = isJsonObject(file.attestation) ? file.attestation.verifier_key : undefined;
  const events = new Map<Json | undefined, JsonObject>();
  for (const bundle of bundles as readonly Json[]) {
    const event = isJsonObject(bundle) && isJsonObject(bundle.event) ? bundle.event : undefined;
    const name = `${event?.event_type}, leaf ${isJsonObject(bundle) ? bundle.leaf_index : '?'}`;
    const { valid, error } = await check(bundle);
    if (!valid || !event) throw new WhyFault(name, error?.message ?? 'It is not valid.');
    if ((bundle as JsonObject).verifier_key !== key) throw new WhyFault(name, 'It is proved by another log.');
    events.set(event.event_id, { ...event, leaf: (bundle as JsonObject).leaf_index ?? null });
  }
  return events;
}

interface ProvedState {
  readonly report: RowsReport;
  /** The rows in which steps are kept, by leaf. */
  readonly accounts: ReadonlyMap<Json | undefined, JsonObject>;
}

/** Undefined for a file without rows whose attestation says nothing of rows either. */
async function stateOf(
  hasher: Hasher,
  file: JsonObject,
  attested: JsonObject | undefined,
  check: CheckBundle,
): Promise<ProvedState | undefined> {
  const payload = attested && isJsonObject(attested.payload) ? attested.payload : undefined;
  if (file.format === WITHOUT_ROWS && payload?.rows_digest === undefined) return undefined;
  if (!Array.isArray(file.rows))
    throw new WhyFault('rows', 'The rows that the explanation rests on are gone.');
  const rows = file.rows as readonly Json[];
  const { statements, ...report } = checkRows(hasher, rows, await provedEvents(file, 'records', check));
  if (rowsDigest(hasher, statements) !== payload?.rows_digest) {
    throw new WhyFault('rows', 'The rows were changed since the explanation was given.');
  }
  return { report, accounts: accountsIn(rows) };
}

function accountsIn(rows: readonly Json[]): ReadonlyMap<Json | undefined, JsonObject> {
  return new Map(
    rows.flatMap((row) => {
      if (!isJsonObject(row) || row.table !== ACCOUNTS || !Array.isArray(row.key)) return [];
      const cells = isJsonObject(row.content) ? row.content.row : undefined;
      return isJsonObject(cells) ? [[(row.key as readonly Json[])[0], cells] as const] : [];
    }),
  );
}

/** A step says what the row says in which it is kept. */
function compareWithAccount({ name, value }: WhyStep, accounts: ProvedState['accounts'] | undefined): void {
  const kept = accounts?.get(value.leaf);
  if (kept === undefined) return;
  const account = typeof kept.account === 'string' ? readJson(kept.account) : undefined;
  const same =
    isJsonObject(account) &&
    account.words === value.words &&
    kept.event_id === value.event_id &&
    kept.actor_id === value.by;
  if (!same) throw new WhyFault(name, `The step says something else than its row in ${ACCOUNTS}.`);
}

function compare({ name, value }: WhyStep, events: ReadonlyMap<Json | undefined, JsonObject>): void {
  if (value.pruned === true) return;
  const event = events.get(value.event_id);
  if (!event) throw new WhyFault(name, 'No proof in the file is of this step.');
  const same =
    event.event_hash === value.event_hash &&
    event.event_type === value.type &&
    event.timestamp === value.at &&
    event.leaf === value.leaf;
  if (!same) throw new WhyFault(name, 'The step says something else than the event that is proved.');
}

function compareDigests(
  digests: ReturnType<typeof whyDigests>,
  steps: readonly WhyStep[],
  event: JsonObject | undefined,
): void {
  const payload = event && isJsonObject(event.payload) ? event.payload : undefined;
  if (event?.event_type !== WHY_EVENT || !Array.isArray(payload?.steps)) {
    throw new WhyFault('attestation', `It is no ${WHY_EVENT} event.`);
  }
  const attested = payload.steps as readonly Json[];
  const changed = steps.find((_, i) => digests.steps[i] !== attested[i]);
  if (changed) throw new WhyFault(changed.name, 'The step was changed since the explanation was given.');
  if (attested.length !== steps.length || payload.chain_digest !== digests.chain) {
    throw new WhyFault('chain', 'The chain was changed since the explanation was given.');
  }
}
