import { describe, expect, it } from 'vitest';
import { readJson } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { nodeHasher } from '../../../platform/index.ts';
import { contentHash, findSecrets, packageHashes } from './rules.ts';

describe('hashes', () => {
  const EXAMPLE = `{"package_id":"pkg_1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d","project_id":"proj_dev_relay","relay_version":"0.1",
    "title":"Shipped archive/de-archive","status":"complete","package_type":"milestone","review_type":"none",
    "created_at":"2026-04-18T20:00:00Z","created_by":{"id":"jordan","type":"human","session_id":null},
    "tags":["archive","cli"],"decisions_made":["Soft archive via archived_at timestamp"],"open_questions":[],
    "handoff_note":"Migration 009 applied, dashboard filter works."}`;
  const exampleWith = (more: string) => EXAMPLE.replace(/\}$/, `${more}}`);
  const V1 = '0efe5d06aaaaf2dc735b3f9ce7cfc1a0f7cd715491ab61d991f57be1d4c0db33';

  it.each([
    ['V1 the example of the protocol', EXAMPLE, V1],
    ['V2 an absent member instead of a null one', EXAMPLE.replace(',"session_id":null', ''), V1],
    [
      'V3 defaults written out',
      exampleWith(',"description":"","significance":5,"deliverables":[],"content_md":""'),
      'a8a3abb573c618694c486de88a032d384c446b72e926fe2056f29cdaa85bb6ee',
    ],
    [
      'V4 another form of the same instant',
      EXAMPLE.replace('20:00:00Z', '20:00:00+00:00'),
      '8a33b46ac747c24db9871a2624efebacbf7583935477996fea254dbc68ea3e10',
    ],
    [
      'V5 members that the protocol does not know',
      exampleWith(',"x-trust-score":0.1').replace('"type":"human"', '"type":"human","git_commit":"abc123"'),
      '2653502a1801d77f30dc60a99fe978b52e0ffb3c879fbb232187f658ce000010',
    ],
    [
      'V7 keys in the order of their UTF-8 bytes, nulls kept in arrays only',
      '{"😀":1,"\ufb33":2,"x":{"n":null},"a":[null,1]}',
      'a81dee9c10e037e0e6f586a27a25a89f3369af726cd4ed7c34e717780bf135ae',
    ],
  ])('are those of the published vectors: %s', (_, text, hash) => {
    expect(contentHash(nodeHasher, readJson(text))).toBe(`sha256:${hash}`);
    expect(packageHashes(nodeHasher, readJson(text) as JsonObject).content).toBe(`sha256:${hash}`);
  });

  it('are those of the published vectors: V6 the body without status and review type', () => {
    expect(packageHashes(nodeHasher, readJson(EXAMPLE) as JsonObject).body).toBe(
      'sha256:4459ed37a1b8bd03f851b6945f196dfee464180c4de82b2b6a3b1f3b29cc8f25',
    );
  });
});

describe('the secret scanner', () => {
  it('finds credentials also behind escapes, names the place, and leaves prose alone', () => {
    const text = `{"a":["fine",{"b~/c":"ghp_${'a'.repeat(36)}"}],"d":"\\u0041KIA${'Z'.repeat(16)}"}`;
    expect(findSecrets(text, readJson(text))).toEqual([
      { kind: 'github_token', pointer: '/a/1/b~0~1c' },
      { kind: 'aws_access_key', pointer: '/d' },
    ]);
    const address = '{"a":"Kept at postgres://app:s3cret@db.internal/app now"}';
    expect(findSecrets(address, readJson(address))).toEqual([{ kind: 'url_password', pointer: '/a' }]);
    const prose = '{"a":"The token expires; see https://example.org/user:guide and sk-learn"}';
    expect(findSecrets(prose, readJson(prose))).toEqual([]);
  });
});
