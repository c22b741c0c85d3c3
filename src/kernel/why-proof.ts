/** One file that shows where something came from, with a proof of every step, for anyone who trusts the log's key. */
import { digestOf, formatDigest } from './digest.ts';
import { BatonError } from './error.ts';
import type { Hasher } from './hasher.ts';
import { readJson } from './json/reader.ts';
import { isJsonObject, type Json, type JsonObject } from './json/value.ts';
import type { VerifyEd25519 } from './note/signed-note.ts';
import { checkProofBundle, formatProofBundle, type ProofBundle } from './proof-bundle.ts';

export const WHY_PROOF_FORMAT = 'baton-why/1';
export const WHY_EVENT = 'why.explained';

export interface WhyProofContent {
  /** The explanation, as it was returned. */
  readonly chain: Json;
  /** Proof of the event which records that this explanation was given. */
  readonly attestation: ProofBundle;
  /** One for each step. */
  readonly proofs: readonly ProofBundle[];
}

export interface WhyProofReport {
  readonly valid: boolean;
  readonly trusted: boolean;
  readonly steps: number;
  readonly tree_size: number | null;
  readonly origin: string | null;
  /** Why it is not valid, and which step shows it. */
  readonly error: { readonly step: string; readonly message: string } | null;
}

interface WhyStep {
  readonly name: string;
  readonly value: JsonObject;
}

/** Events are included exactly as hashed, so the file is assembled as text. */
export function formatWhyProof({ chain, attestation, proofs }: WhyProofContent): string {
  const bundles = proofs.map((proof) => formatProofBundle(proof).trim());
  return `{
"format": "${WHY_PROOF_FORMAT}",
"chain": ${JSON.stringify(chain, null, 1)},
"attestation": ${formatProofBundle(attestation).trim()},
"proofs": [
${bundles.join(',\n')}
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
  const report = { trusted: trustedKey !== undefined, steps: 0, tree_size: null, origin: null };
  try {
    const file = readJson(text);
    if (!isJsonObject(file) || file.format !== WHY_PROOF_FORMAT) {
      throw new WhyFault('file', `The file does not say that it is a ${WHY_PROOF_FORMAT}.`);
    }
    const steps = stepsOf(file.chain ?? null);
    const proved = await proofsOf(file, async (bundle) =>
      checkProofBundle(bundle, hasher, verifyEd25519, trustedKey),
    );
    for (const step of steps) compare(step, proved.events);
    if (proved.events.size > new Set(steps.map(({ value }) => value.event_id)).size) {
      throw new WhyFault('proofs', 'The file proves an event that is no step of the chain.');
    }
    compareDigests(whyDigests(hasher, file.chain ?? null), steps, proved.attested);
    const { tree_size, origin } = proved;
    return { ...report, valid: true, steps: steps.length, tree_size, origin, error: null };
  } catch (cause) {
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

async function proofsOf(
  file: JsonObject,
  check: (bundle: Json) => Promise<Awaited<ReturnType<typeof checkProofBundle>>>,
) {
  const attestation = file.attestation ?? null;
  const attested = await check(attestation);
  if (!attested.valid) throw new WhyFault('attestation', attested.error?.message ?? 'It is not valid.');
  const key = isJsonObject(attestation) ? attestation.verifier_key : undefined;
  const events = new Map<Json | undefined, JsonObject>();
  if (!Array.isArray(file.proofs)) throw new WhyFault('proofs', 'The file has no proofs.');
  for (const bundle of file.proofs as readonly Json[]) {
    const event = isJsonObject(bundle) && isJsonObject(bundle.event) ? bundle.event : undefined;
    const name = `${event?.event_type}, leaf ${isJsonObject(bundle) ? bundle.leaf_index : '?'}`;
    const { valid, error } = await check(bundle);
    if (!valid || !event) throw new WhyFault(name, error?.message ?? 'It is not valid.');
    if ((bundle as JsonObject).verifier_key !== key) throw new WhyFault(name, 'It is proved by another log.');
    events.set(event.event_id, { ...event, leaf: (bundle as JsonObject).leaf_index ?? null });
  }
  const event = isJsonObject(attestation) && isJsonObject(attestation.event) ? attestation.event : undefined;
  return { events, attested: event, tree_size: attested.tree_size, origin: attested.origin };
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
