/** Policies to start with, with the protocol's values. A template is copied into the profile; from then on it is the person's own. */
export const POLICY_TEMPLATES = {
  propose_only: [
    {
      name: 'Local agents may propose',
      agentPattern: 'did:a2p:agent:local:*',
      permissions: ['propose'],
      allow: ['a2p:*', 'ext:*'],
      deny: [],
    },
  ],
  minimal: [
    {
      name: 'Basic Preferences Only',
      agentPattern: 'did:a2p:agent:*',
      permissions: ['read_public'],
      allow: ['a2p:preferences.language', 'a2p:preferences.timezone'],
      deny: ['a2p:health.*', 'a2p:financial.*', 'a2p:relationships.*'],
      conditions: { requireVerifiedOperator: true },
    },
  ],
  balanced: [
    {
      name: 'Verified Agents',
      agentPattern: 'did:a2p:agent:*',
      permissions: ['read_scoped', 'propose'],
      allow: ['a2p:preferences.*', 'a2p:interests.*', 'a2p:context.*'],
      deny: ['a2p:health.*', 'a2p:financial.*'],
      conditions: { requireVerifiedOperator: true, minTrustScore: 0.7, maxDataRetention: '30d' },
      purposeRequirements: {
        allowedPurposes: ['personalization', 'context_enrichment', 'recommendation'],
        maxRetention: '30d',
        allowThirdPartySharing: false,
      },
    },
  ],
  open: [
    {
      name: 'All Verified Agents',
      agentPattern: '*',
      permissions: ['read_full', 'propose'],
      allow: ['a2p:*', 'ext:*'],
      deny: ['a2p:health.conditions', 'a2p:health.medications', 'a2p:financial.accounts'],
      conditions: { requireVerifiedOperator: false, minTrustScore: 0.5 },
    },
  ],
  work: [
    {
      name: 'Work Agents',
      agentPattern: 'did:a2p:agent:*',
      permissions: ['read_scoped', 'propose'],
      allow: ['a2p:professional.*', 'a2p:preferences.*', 'a2p:context.currentProjects'],
      deny: ['a2p:health.*', 'a2p:relationships.*', 'a2p:interests.hobbies'],
      conditions: { requireVerifiedOperator: true, minTrustScore: 0.8 },
    },
  ],
  health: [
    {
      name: 'Health Agents Only',
      agentPattern: 'did:a2p:agent:local:health-*',
      permissions: ['read_scoped'],
      allow: ['a2p:health.*', 'a2p:preferences.accessibility'],
      deny: ['a2p:financial.*', 'a2p:professional.*'],
      conditions: {
        requireVerifiedOperator: true,
        requireAudit: true,
        allowedJurisdictions: ['EU', 'US-HIPAA'],
      },
      purposeRequirements: {
        allowedPurposes: ['service_delivery', 'legal_compliance'],
        maxRetention: '7d',
        allowThirdPartySharing: false,
      },
    },
  ],
} as const;

export type PolicyTemplate = keyof typeof POLICY_TEMPLATES;
export const TEMPLATE_NAMES = Object.keys(POLICY_TEMPLATES) as [PolicyTemplate, ...PolicyTemplate[]];
