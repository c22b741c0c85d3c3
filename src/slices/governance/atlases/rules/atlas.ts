import type { RiskTier } from '../../schema.ts';
import type { AtlasManifest } from '../schema.ts';

/** An Atlas with everything that decisions need: pure data, whatever it was loaded from. */
export interface Atlas {
  readonly manifest: AtlasManifest;
  /** Context written into the manifest itself: an extension that only the lenient mode takes. */
  readonly blocks: readonly InlineBlock[];
  /** Context files by their path in the Atlas. */
  readonly files: ReadonlyMap<string, string>;
  /** `jcs-sha256:…` over manifest, blocks and files. */
  readonly digest: string;
}

export type AtlasMode = 'enforce' | 'log_only';

export interface InlineBlock {
  readonly contextId: string;
  readonly priority: number;
  readonly content: string;
  readonly contentType: string;
  readonly mode: 'always' | 'on_match' | 'on_demand' | 'risk_based';
  readonly keywords: readonly string[];
  readonly riskTiers: readonly RiskTier[];
  readonly alsoInject: readonly string[];
}
