/** Everything of this slice that goes over the wire. */
export {
  type Action,
  type AtlasManifest,
  type AtlasSummary,
  atlasManifestSchema,
  atlasSummarySchema,
  type Capability,
  type Conditions,
  type ContextPack,
  type Policy,
  type PolicyType,
  type TimeWindow,
} from './schema/atlas.ts';
export {
  type ApprovalView,
  approvalSchema,
  type CarpRequest,
  type CarpResolution,
  type Constraint,
  type ContextBlock,
  carpRequestSchema,
  carpResolutionSchema,
  type ExecuteResponse,
  executeResponseSchema,
  type SessionView,
  sessionSchema,
  sessionStartSchema,
  strictCarpRequestSchema,
} from './schema/carp.ts';
export { type RiskTier, riskTierSchema } from './schema/text.ts';
export { traceEventSchema, traceVerificationSchema } from './schema/trace.ts';
