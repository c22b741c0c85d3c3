import { digestOf, formatDigest } from '../../../kernel/digest.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { fromPlain } from '../../../kernel/json/plain.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { identityErrors } from '../../../spine/identity/errors.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { grantsScope } from '../../../spine/identity/scopes.ts';
import type { InboxEffect } from '../../../spine/inbox/effect.ts';
import { credentialName } from '../../../spine/inbox/rules.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { loadAtlas } from '../atlases/load.ts';
import { atlasOf } from '../atlases/rules/atlas.ts';
import type { Action, AtlasManifest } from '../atlases/schema.ts';
import { selectActiveLoads } from '../atlases/store.ts';
import { governanceErrors } from '../errors.ts';
import type { GovernanceDeps } from '../ports.ts';
import { insertChange, markChange, selectChange, wasRejected } from './change-store.ts';
import type { GatewayConfig } from './config.ts';
import {
  gatewayManifest,
  type ListedTool,
  nextVersion,
  type ToolChange,
  toolChanges,
  withChanges,
} from './gateway-atlas.ts';

export const GATEWAY_KIND = 'gateway_tools';

export interface Review {
  readonly principal: Principal;
  readonly projectId: string;
  readonly atlasId: string;
  readonly config: GatewayConfig;
  readonly listed: readonly ListedTool[];
  /**
   * `start` also compares the policies of the file. A gateway that is running never puts its own back in force over those
   * that somebody has loaded since. `accept` takes changed tools too: a person asked for it.
   */
  readonly when: 'start' | 'running' | 'accept';
}

export interface Reviewed {
  readonly loaded: boolean;
  /** The inbox item that asks about what was not loaded. */
  readonly waiting: string | undefined;
  readonly changes: readonly ToolChange[];
}

/**
 * Compares what the servers list with what is accepted. A credential that may load Atlases loads new tools at once; tools
 * that have changed, and whatever a credential without that scope finds, wait for a person.
 */
export async function reviewTools(uow: UnitOfWork, deps: GovernanceDeps, review: Review): Promise<Reviewed> {
  const { principal, projectId, atlasId, config, listed, when } = review;
  const mayLoad = grantsScope(principal.scopes, 'atlas:write');
  if (when === 'accept' && !mayLoad) {
    throw identityErrors.forbidden({
      message:
        'To load the Atlas of a gateway takes the scope atlas:write, which the credential does not have.',
      details: { scope: 'atlas:write' },
    });
  }
  const load = (await selectActiveLoads(uow, projectId)).find((each) => each.atlasId === atlasId);
  let inForce = load && (await deps.sets.content(uow, load.digest)).manifest;
  const changes = toolChanges(config, inForce?.actions ?? [], listed, deps.hasher);
  const manifestWith = (accepted: AtlasManifest | undefined, taken: readonly ToolChange[]) =>
    when === 'running' && accepted
      ? { ...accepted, actions: mergedActions(accepted, taken) }
      : gatewayManifest(config, { atlasId, version: '1.0.0' }, withChanges(accepted?.actions ?? [], taken));
  const trusted = when === 'accept' ? changes : changes.filter(({ was }) => was === undefined);
  let replaces = load?.digest ?? null;
  let loaded = false;
  if (mayLoad) {
    const manifest = { ...manifestWith(inForce, trusted), version: nextVersion(load?.version) };
    if (!inForce || contentDigest(deps.hasher, manifest) !== contentDigest(deps.hasher, inForce)) {
      const wanted = {
        projectId,
        manifest: fromPlain(manifest),
        mode: load?.mode ?? 'enforce',
        byNameOnly: true,
      };
      const summary = await loadAtlas(uow, deps, principal, wanted);
      inForce = manifest;
      replaces = summary.digest;
      loaded = true;
    }
  }
  const left = mayLoad ? changes.filter((each) => !trusted.includes(each)) : changes;
  const proposed = manifestWith(inForce, left);
  const waiting =
    inForce && contentDigest(deps.hasher, proposed) === contentDigest(deps.hasher, inForce)
      ? await withdraw(uow, deps, review)
      : await propose(uow, deps, review, { proposed, inForce, replaces, changes: left });
  return { loaded, waiting, changes };
}

/** The accepted tools with the changes among them, and everything else of the Atlas as it is. */
function mergedActions({ actions = [] }: AtlasManifest, changes: readonly ToolChange[]): Action[] {
  return [
    ...actions.map((action) => changes.find(({ was }) => was === action)?.now ?? action),
    ...changes.filter(({ was }) => was === undefined).map(({ now }) => now),
  ];
}

/** Of a manifest whatever its version. */
function contentDigest(hasher: Hasher, manifest: AtlasManifest): string {
  return atlasOf(hasher, { manifest: { ...manifest, version: '0.0.0' } }).digest;
}

async function withdraw(uow: UnitOfWork, deps: GovernanceDeps, review: Review): Promise<undefined> {
  const { projectId, atlasId, principal } = review;
  await deps.inbox.supersedeSubject(uow, {
    ...subjectOf(projectId, atlasId),
    by: principal.actor,
    reason: 'no_longer_different',
  });
}

function subjectOf(projectId: string, atlasId: string) {
  return { projectId, kind: GATEWAY_KIND, subject: { type: 'gateway', id: atlasId } };
}

interface Proposal {
  readonly proposed: AtlasManifest;
  readonly inForce: AtlasManifest | undefined;
  readonly replaces: string | null;
  readonly changes: readonly ToolChange[];
}

async function propose(
  uow: UnitOfWork,
  deps: GovernanceDeps,
  { projectId, atlasId, principal, config }: Review,
  { proposed, inForce, replaces, changes }: Proposal,
): Promise<string | undefined> {
  const { hasher, inbox } = deps;
  const digest = contentDigest(hasher, proposed);
  if (await wasRejected(uow, { projectId, atlasId, digest })) return undefined;
  const shown = shownChange(atlasId, digest, replaces, changes, inForce, proposed);
  const itemId = inbox.reserveId();
  const item = await inbox.openItem(uow, {
    ...subjectOf(projectId, atlasId),
    itemId,
    requestedBy: principal.actor,
    ...(config.agent_id !== undefined &&
      config.agent_id !== principal.actor.id && { requestedFor: { id: config.agent_id, type: 'agent' } }),
    requestedWith: credentialName(principal),
    digest: formatDigest(digestOf(hasher, 'jcs', shown)),
    rule: 'gateway-tools',
    title: titleOf(atlasId, changes),
    risk: 'medium',
    edits: false,
  });
  if (item.itemId === itemId) {
    await insertChange(uow, {
      itemId,
      projectId,
      atlasId,
      replaces,
      manifest: JSON.stringify(proposed),
      digest,
      shown: JSON.stringify(shown),
      status: 'open',
      opened: deps.clock.now(),
    });
  }
  return item.itemId;
}

function titleOf(atlasId: string, changes: readonly ToolChange[]): string {
  const changed = changes.filter(({ was }) => was !== undefined).length;
  const added = changes.length - changed;
  const parts = [
    ...(changed > 0 ? [`${changed} changed ${changed === 1 ? 'tool' : 'tools'}`] : []),
    ...(added > 0 ? [`${added} new ${added === 1 ? 'tool' : 'tools'}`] : []),
  ];
  return `Gateway ${atlasId}: ${parts.length > 0 ? parts.join(' and ') : 'other policies'}`;
}

/** What whoever decides has to see: each tool in the words that an agent would read. */
function shownChange(
  atlasId: string,
  digest: string,
  replaces: string | null,
  changes: readonly ToolChange[],
  inForce: AtlasManifest | undefined,
  proposed: AtlasManifest,
): JsonObject {
  const policies = { was: inForce?.policies ?? [], now: proposed.policies ?? [] };
  const same = JSON.stringify(policies.was) === JSON.stringify(policies.now);
  const shown = {
    atlas_id: atlasId,
    manifest: digest,
    replaces,
    changed: changes.flatMap(({ server, tool, was }) =>
      was
        ? [{ server, was: { description: was.description, parameters: was.parameters_schema }, now: tool }]
        : [],
    ),
    added: changes.flatMap(({ server, tool, was }) => (was ? [] : [{ server, tool }])),
    ...(!same && { policies }),
  };
  return fromPlain(JSON.parse(JSON.stringify(shown))) as JsonObject;
}

/** What a decision in the inbox does: a yes loads the Atlas, so whoever gives it must be one who may. */
export function gatewayChangeEffect(deps: GovernanceDeps): InboxEffect {
  return {
    apply: 'rows',
    async refuses(_reader, _item, principal) {
      if (grantsScope(principal.scopes, 'atlas:write')) return undefined;
      return identityErrors.forbidden({
        message: 'To accept the tools of a gateway takes the scope atlas:write.',
        details: { scope: 'atlas:write' },
      });
    },
    async run(uow, item, made) {
      const change = await selectChange(uow, item.itemId);
      if (!change) throw governanceErrors.gateway_change_not_found();
      if (made.decision === 'reject') return markChange(uow, item.itemId, 'rejected');
      const { projectId, atlasId } = change;
      const load = (await selectActiveLoads(uow, projectId)).find((each) => each.atlasId === atlasId);
      if ((load?.digest ?? null) !== change.replaces) throw governanceErrors.approval_outdated();
      const manifest = { ...JSON.parse(change.manifest), version: nextVersion(load?.version) };
      await loadAtlas(
        uow,
        deps,
        { actor: made.decidedBy },
        {
          projectId,
          manifest: fromPlain(manifest),
          mode: load?.mode ?? 'enforce',
          byNameOnly: true,
        },
      );
      return markChange(uow, item.itemId, 'accepted');
    },
    async describe(reader, item) {
      const change = await selectChange(reader, item.itemId);
      return change && (fromPlain(JSON.parse(change.shown)) as JsonObject);
    },
  };
}
