import { expect, it } from 'vitest';
import { nodeHasher } from '../../../src/platform/index.ts';
import { kindOfFile } from './file-kinds.ts';
import { checkManifest, checkRunExport } from './verify-files.ts';

const event = { event_hash: 'h', previous_event_hash: 'g', event_type: 'fact.asserted', session_id: 's' };

it.each([
  ['proof', '{"format":"baton-proof/1"}'],
  ['why', '{\n"format": "baton-why/1",\n"chain": {}}'],
  ['chain', JSON.stringify(event)],
  ['chain', `${JSON.stringify(event)}\n${JSON.stringify(event)}\n`],
  ['checkpoint', '{"size":1,"root":"","note":"n","verifier_key":"k"}'],
  ['checkpoint', 'log.example\n12\nAAAA\n\n\u2014 log.example AAAAAAAA\n'],
  ['run-export', '{"export_kind":"governed_run","files":{}}'],
  ['manifest', '{"format":"agentic-export/1","files":{}}'],
  ['export-lines', '{"package_id":"p","relay_version":"0.1"}\n{"package_id":"q","relay_version":"0.1"}\n'],
  ['export-lines', '{"fact_id":"f","project_id":"p"}\n'],
  ['unknown', ''],
  ['unknown', 'Dear reader\n'],
  ['unknown', '{"some":"thing"}'],
  ['unknown', '[1,2]'],
  ['unknown', 'null'],
  // Only what says what it is counts: a word somewhere in it does not.
  ['unknown', '{"title":"about baton-proof/1"}'],
])('is known by its content as %s: %s', (kind, text) => {
  expect(kindOfFile(text)).toBe(kind);
});

it('holds the files of a run to their digests', () => {
  const content = Buffer.from('{"a":1}');
  const file = { sha256: nodeHasher.hex(content), bytes: 7, content_base64: content.toString('base64') };
  const of = (changed: object) =>
    checkRunExport(JSON.stringify({ run_id: 'run_1', files: { 'state.json': { ...file, ...changed } } }));
  expect(of({})).toEqual({ valid: true, files: 1, about: 'run_1', faults: [] });
  expect(of({ content_base64: Buffer.from('{"a":2}').toString('base64') })).toMatchObject({ valid: false });
  expect(of({ bytes: 8 }).faults).toEqual(['state.json does not have the size that it claims.']);
  expect(of({ content_base64: undefined }).valid).toBe(false);
});

it('holds the files of an export to their manifest, and names those that are not there', () => {
  const bytes = new TextEncoder().encode('{}\n');
  const manifest = JSON.stringify({
    project_id: 'p',
    files: { 'facts.ndjson': { sha256: nodeHasher.hex(bytes) }, 'packages.ndjson': { sha256: 'x' } },
  });
  expect(checkManifest(manifest, [{ name: 'facts.ndjson', bytes }])).toEqual({
    valid: true,
    files: 1,
    about: 'p',
    faults: [],
    missing: ['packages.ndjson'],
  });
  const changed = { name: 'packages.ndjson', bytes };
  expect(checkManifest(manifest, [changed])).toMatchObject({ valid: false, missing: ['facts.ndjson'] });
});
