import { expect, it } from 'vitest';
import { withLocalNames } from './output.ts';

it('DIDs of this server are the names they stand for, and those of elsewhere stay', () => {
  expect(withLocalNames('did:a2p:agent:local:coach proposes it about did:a2p:user:acme:ada')).toBe(
    'coach proposes it about did:a2p:user:acme:ada',
  );
});
