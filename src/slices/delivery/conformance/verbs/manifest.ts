import { asList, asRecord, isString, type LooseRecord } from '../../../../kernel/json/loose.ts';
import { tryParse } from '../../parse.ts';
import { type BundleFiles, MANIFEST_FILE, sealManifest, verifyManifest } from '../../turns/rules/manifest.ts';
import { inflateState } from '../inflate.ts';
import { refused, type Verb, type VerbDeps } from '../verb.ts';

export const verifyDispatchManifestVerb: Verb = (args, setup, deps) => {
  const turnId = String(args.turn_id ?? '');
  const sealed = seal(turnId, setup, deps);
  if (!sealed.ok) return refused(sealed.refusal, { manifest_valid: false });
  const files = meddle(sealed.files, turnId, setup);
  const text = files.get(MANIFEST_FILE);
  const report = verifyManifest(
    text === undefined ? undefined : (tryParse(text) ?? null),
    files,
    deps.hasher,
  );
  const [first] = report.faults;
  const seen = { manifest: report.manifest, verification_errors: report.faults };
  return first === undefined
    ? { result: 'success', manifest_valid: true, ...seen }
    : { result: 'error', error_type: first.type, manifest_valid: false, ...seen };
};

export const inspectDispatchManifestVerb: Verb = (args, setup, deps) => {
  const sealed = seal(String(args.turn_id ?? ''), setup, deps);
  if (!sealed.ok) return refused(sealed.refusal);
  const paths = sealed.manifest.files.map((entry) => entry.path);
  return {
    result: 'success',
    manifest: sealed.manifest,
    manifest_contains_self: paths.includes(MANIFEST_FILE),
    file_paths: paths,
  };
};

function seal(turnId: string, setup: LooseRecord, deps: VerbDeps) {
  const bundle = new Map(textFiles(asRecord(setup.dispatch_bundle)[turnId]));
  const state = inflateState(setup.state, {});
  const about = {
    runId: state.run_id ?? 'run_001',
    turnId,
    role: state.active_turns[turnId]?.assigned_role ?? 'dev',
  };
  const sealed = sealManifest(bundle, about, deps.clock.now(), deps.hasher);
  if (!sealed.ok) return sealed;
  bundle.set(MANIFEST_FILE, encode(`${JSON.stringify(sealed.value)}\n`));
  return { ok: true as const, manifest: sealed.value, files: bundle };
}

/** Tampers with the sealed bundle as the fixture says, in the order of the corpus. */
function meddle(sealed: BundleFiles, turnId: string, setup: LooseRecord): BundleFiles {
  const files = new Map(sealed);
  for (const key of ['post_finalize_inject', 'post_finalize_tamper']) {
    for (const [path, bytes] of textFiles(asRecord(setup[key])[turnId])) files.set(path, bytes);
  }
  for (const path of asList(asRecord(setup.post_finalize_delete)[turnId])) files.delete(String(path));
  const drop = setup.post_finalize_delete_manifest;
  if (drop === true || asRecord(drop)[turnId] === true) files.delete(MANIFEST_FILE);
  const corrupt = asRecord(setup.post_finalize_corrupt_manifest)[turnId];
  if (corrupt !== undefined)
    files.set(MANIFEST_FILE, encode(isString(corrupt) ? corrupt : JSON.stringify(corrupt)));
  return files;
}

function textFiles(raw: unknown): [string, Uint8Array][] {
  return Object.entries(asRecord(raw)).flatMap(([path, text]): [string, Uint8Array][] =>
    isString(text) ? [[path, encode(text)]] : [],
  );
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
