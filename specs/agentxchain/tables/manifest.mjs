import { working } from './ground.mjs';

const bundle = {
  'ASSIGNMENT.json': '{"turn_id":"turn_1"}',
  'PROMPT.md': '# Task',
  'CONTEXT.md': '# Context',
};
const verify = (description, more, expected, files = bundle) => ({
  description,
  type: expected.result === 'success' ? 'validate' : 'reject',
  setup: {
    state: working(),
    config: { roles: { dev: { runtime: 'manual' } } },
    dispatch_bundle: { turn_1: files },
    ...more,
  },
  input: { operation: 'verify_dispatch_manifest', args: { turn_id: 'turn_1' } },
  expected,
});
const fault = (type, path) => ({ type, path, detail: { assert: 'nonempty_string' } });
const bad = (faults) => ({
  result: 'error',
  manifest_valid: false,
  error_type: faults[0].type,
  verification_errors: faults,
});
const corrupt = (manifest) => ({ post_finalize_corrupt_manifest: { turn_1: manifest } });
const entry = { path: 'PROMPT.md', sha256: 'a'.repeat(64), size: 6 };

export const surface = 'dispatch_manifest';
export const tier = 2;
export const prefix = 'BDM';
export const table = [
  verify(
    'Files are sealed in the order of their names',
    {},
    {
      result: 'success',
      manifest_valid: true,
      manifest: { files: [{ path: 'ASSIGNMENT.json' }, { path: 'CONTEXT.md' }, { path: 'PROMPT.md' }] },
      verification_errors: [],
    },
  ),
  verify(
    'Sizes count bytes, not characters',
    {},
    { result: 'success', manifest: { files: [{ path: 'PROMPT.md', size: 6 }] } },
    { 'PROMPT.md': 'äöab' },
  ),
  verify(
    'An empty file is sealed too',
    {},
    {
      result: 'success',
      manifest: {
        files: [
          {
            path: 'EMPTY.md',
            size: 0,
            sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
          },
        ],
      },
    },
    { 'EMPTY.md': '' },
  ),
  verify('An empty bundle cannot be sealed', {}, { result: 'error', error_type: 'finalization_failed' }, {}),
  verify(
    'A file that is emptied is noticed twice over',
    { post_finalize_tamper: { turn_1: { 'PROMPT.md': '' } } },
    bad([fault('size_mismatch', 'PROMPT.md'), fault('digest_mismatch', 'PROMPT.md')]),
  ),
  verify(
    'A change of the same length is noticed by its digest',
    { post_finalize_tamper: { turn_1: { 'PROMPT.md': '# Tusk' } } },
    bad([fault('digest_mismatch', 'PROMPT.md')]),
  ),
  verify(
    'A file that is exchanged for another is gone and unexpected',
    {
      post_finalize_delete: { turn_1: ['PROMPT.md'] },
      post_finalize_inject: { turn_1: { 'PROMPT2.md': '# Task' } },
    },
    bad([fault('missing_file', 'PROMPT.md'), fault('unexpected_file', 'PROMPT2.md')]),
  ),
  verify(
    'Every violation is reported',
    {
      post_finalize_inject: { turn_1: { 'Z.txt': 'z' } },
      post_finalize_tamper: { turn_1: { 'CONTEXT.md': '# Tampered' } },
      post_finalize_delete: { turn_1: ['ASSIGNMENT.json'] },
    },
    {
      result: 'error',
      error_type: 'missing_file',
      verification_errors: {
        assert: 'unordered_array',
        items: [
          fault('missing_file', 'ASSIGNMENT.json'),
          fault('size_mismatch', 'CONTEXT.md'),
          fault('digest_mismatch', 'CONTEXT.md'),
          fault('unexpected_file', 'Z.txt'),
        ],
      },
    },
  ),
  verify(
    'A file below the bundle is unexpected too',
    { post_finalize_inject: { turn_1: { 'sub/extra.md': 'x' } } },
    bad([fault('unexpected_file', 'sub/extra.md')]),
  ),
  verify(
    'A manifest that is deleted for one turn is missing',
    { post_finalize_delete_manifest: { turn_1: true } },
    bad([fault('missing_manifest', 'MANIFEST.json')]),
  ),
  verify(
    'A manifest deleted for another turn is not',
    { post_finalize_delete_manifest: { turn_2: true } },
    { result: 'success' },
  ),
  verify(
    'A manifest that is a list is none',
    corrupt('[]'),
    bad([fault('invalid_manifest', 'MANIFEST.json')]),
  ),
  verify(
    'A manifest that says null is none',
    corrupt('null'),
    bad([fault('invalid_manifest', 'MANIFEST.json')]),
  ),
  verify(
    'A manifest that repeats a key is none',
    corrupt('{"manifest_version":"1.0","files":[],"files":[]}'),
    bad([fault('invalid_manifest', 'MANIFEST.json')]),
  ),
  verify(
    'A manifest whose files are a map is none',
    corrupt({ manifest_version: '1.0', files: {} }),
    bad([fault('invalid_manifest', 'MANIFEST.json')]),
  ),
  verify(
    'A manifest without a version is none',
    corrupt({ files: [entry] }),
    bad([fault('invalid_manifest', 'MANIFEST.json')]),
  ),
  verify(
    'A manifest that points out of its bundle is none',
    corrupt({ manifest_version: '1.0', files: [{ ...entry, path: '../../state.json' }] }),
    bad([fault('invalid_manifest', 'MANIFEST.json')]),
  ),
  verify(
    'A manifest entry without a digest is none',
    corrupt({ manifest_version: '1.0', files: [{ path: 'PROMPT.md', size: 6 }] }),
    bad([fault('invalid_manifest', 'MANIFEST.json')]),
  ),
  verify(
    'A manifest that forgets a file leaves it unexpected',
    corrupt({ manifest_version: '1.0', files: [] }),
    bad([
      fault('unexpected_file', 'ASSIGNMENT.json'),
      fault('unexpected_file', 'CONTEXT.md'),
      fault('unexpected_file', 'PROMPT.md'),
    ]),
  ),
  {
    ...verify(
      'A manifest does not list itself, even if it was there before',
      {},
      { result: 'success', manifest_contains_self: false, file_paths: ['PROMPT.md'] },
      { 'MANIFEST.json': '{}', 'PROMPT.md': '# Task' },
    ),
    input: { operation: 'inspect_dispatch_manifest', args: { turn_id: 'turn_1' } },
  },
];
