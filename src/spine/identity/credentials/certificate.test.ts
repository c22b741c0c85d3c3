import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../../kernel/instant.ts';
import { describeOnEachEngine } from '../../storage/testing.ts';
import { openIdentity, testPrincipal } from '../testing.ts';
import { principalByRule, readFingerprint, readPeerCertificate } from './certificate.ts';

const agentSeven = new X509Certificate(`-----BEGIN CERTIFICATE-----
MIIBbzCCASGgAwIBAgIUEpeTWlRs4WRxEh9eydHc/6bEZsEwBQYDK2VwMCQxEDAO
BgNVBAoMB0V4YW1wbGUxEDAOBgNVBAMMB2FnZW50LTcwIBcNMjYxMTE1MjM1MTQ5
WhgPMjEyNjEwMjIyMzUxNDlaMCQxEDAOBgNVBAoMB0V4YW1wbGUxEDAOBgNVBAMM
B2FnZW50LTcwKjAFBgMrZXADIQDjbdzqkObaAup4qbFkOffdKG/U6a7TuO4sAKsj
ERkd2qNjMGEwQAYDVR0RBDkwN4Ygc3BpZmZlOi8vZXhhbXBsZS5vcmcvYWdlbnQv
c2V2ZW6CE2FnZW50LTcuZXhhbXBsZS5vcmcwHQYDVR0OBBYEFAcAaWgYw/9pCUFb
5MlKtimwzyTzMAUGAytlcANBAD4QLT1VsGeV2zZTK/zAu2F39+/I7twFs4pStUgJ
Cc/5q2mzwtg+7GR0AS03jA7pubu8fNI5vGkemy2y+g4olAY=
-----END CERTIFICATE-----`);

/** Its URI contains `, DNS:admin.example.org`. */
const posing = new X509Certificate(`-----BEGIN CERTIFICATE-----
MIIBUTCCAQOgAwIBAgIUPPox25BLK0At3lPz7psHzdHTt9swBQYDK2VwMBAxDjAM
BgNVBAMMBXBsYWluMCAXDTI2MTExNTIzNTE0OVoYDzIxMjYxMDIyMjM1MTQ5WjAQ
MQ4wDAYDVQQDDAVwbGFpbjAqMAUGAytlcAMhALcUgGcF0hBNxBRY7udYLN06x3ZL
G+3ycdAWBJlgDRFIo20wazBKBgNVHREEQzBBhi1zcGlmZmU6Ly9leGFtcGxlLm9y
Zy9hLCBETlM6YWRtaW4uZXhhbXBsZS5vcmeCEHJlYWwuZXhhbXBsZS5vcmcwHQYD
VR0OBBYEFHplbEN/FEO9Nq8OGW5d8wi1tz0aMAUGAytlcANBAG5hn6aIXBGXu29U
AZr1zIJba9IMMnXInJTT5w0aV72t1ujFteCh+lEMxtxujyZQmeCB8EiTEI1vp9Fw
HJoevQk=
-----END CERTIFICATE-----`);

const fingerprint = '2b3095932e43375f10bff09fd96c8df70c6c97bbfa3b2f30dd212d300717fd44';
const whileValid = '2027-01-01T00:00:00Z';

describe('client certificates', () => {
  it('are read with their names', () => {
    expect(readPeerCertificate(agentSeven, true)).toEqual({
      fingerprint,
      authorized: true,
      commonName: 'agent-7',
      uris: ['spiffe://example.org/agent/seven'],
      dnsNames: ['agent-7.example.org'],
      notBefore: parseInstant('2026-11-15T23:51:49Z')?.micros,
      notAfter: parseInstant('2126-10-22T23:51:49Z')?.micros,
    });
  });

  it('cannot smuggle a second name into one', () => {
    expect(readPeerCertificate(posing, true)).toMatchObject({
      uris: ['spiffe://example.org/a, DNS:admin.example.org'],
      dnsNames: ['real.example.org'],
    });
  });

  it('match a rule only by all of its names, and only under the server’s own authority', () => {
    const grant = { actorType: 'agent', scopes: ['facts:read'], projects: ['p'] } as const;
    const trusted = readPeerCertificate(agentSeven, true);
    const by = (rule: object, certificate = trusted) => principalByRule([{ ...grant, ...rule }], certificate);
    expect(by({ uri: 'spiffe://example.org/agent/*' })).toMatchObject({
      actor: { id: 'spiffe://example.org/agent/seven', type: 'agent' },
      projects: ['p'],
      defaultProject: 'p',
      credential: { kind: 'mtls', id: fingerprint },
      present: false,
    });
    expect(by({ commonName: 'agent-?', actorId: 'seven' })?.actor.id).toBe('seven');
    expect(by({ commonName: 'agent-7', dnsName: 'other.example.org' })).toBeUndefined();
    expect(by({})).toBeUndefined();
    expect(by({ commonName: '*' }, readPeerCertificate(agentSeven, false))).toBeUndefined();
  });

  it('have fingerprints in any spelling, and nothing else', () => {
    expect(readFingerprint(agentSeven.fingerprint256)).toBe(fingerprint);
    expect(readFingerprint(fingerprint.toUpperCase())).toBe(fingerprint);
    for (const text of ['', 'zz', fingerprint.slice(1), `${fingerprint}0`])
      expect(readFingerprint(text)).toBeUndefined();
  });
});

describeOnEachEngine('mutual TLS', (open) => {
  it('lets a bound certificate in as its actor until the binding is revoked', async () => {
    const room = await openIdentity(open);
    room.clock.set(whileValid);
    const peerCertificate = readPeerCertificate(agentSeven, false);
    const wanted = {
      actor: { id: 'seven', type: 'agent' },
      scopes: ['facts:*'],
      projects: ['default'],
      defaultProject: 'default',
      certificate: agentSeven.fingerprint256,
    } as const;
    const bind = () => room.db.write((uow) => room.identity.createKey(uow, testPrincipal(), wanted));
    await expect(room.identity.authenticate({ peerCertificate })).rejects.toMatchObject({
      code: 'unauthorized',
    });
    const { credential, token } = await bind();
    expect(token).toBeUndefined();
    expect(await room.identity.authenticate({ peerCertificate })).toMatchObject({
      actor: { id: 'seven', type: 'agent' },
      credential: { kind: 'mtls', id: credential.credentialId },
    });
    await expect(bind()).rejects.toMatchObject({ code: 'certificate_bound', status: 409 });
    room.clock.set('2126-10-23T00:00:00Z');
    await expect(room.identity.authenticate({ peerCertificate })).rejects.toMatchObject({
      code: 'unauthorized',
    });
    room.clock.set(whileValid);
    await room.db.write((uow) => room.identity.revokeKey(uow, testPrincipal(), credential.credentialId));
    await expect(room.identity.authenticate({ peerCertificate })).rejects.toMatchObject({
      code: 'unauthorized',
    });
    await bind();
    await room.identity.settled();
  });

  it('lets certificates of the server’s authority in by rule', async () => {
    const settings = {
      certificates: [{ commonName: 'agent-*', actorType: 'agent', scopes: ['carp:*'], projects: 'all' }],
    } as const;
    const room = await openIdentity(open, { settings });
    room.clock.set(whileValid);
    const principal = await room.identity.authenticate({
      peerCertificate: readPeerCertificate(agentSeven, true),
    });
    expect(principal).toMatchObject({ actor: { id: 'agent-7' }, projects: 'all', defaultProject: 'default' });
    await expect(
      room.identity.authenticate({ peerCertificate: readPeerCertificate(agentSeven, false) }),
    ).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
