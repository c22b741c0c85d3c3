import { globMatcher } from '../../kernel/glob.ts';
import { identityErrors } from './errors.ts';
import type { Actor, Principal } from './principal.ts';
import { grantsScope } from './scopes.ts';

export function requireScope(principal: Principal, scope: string): void {
  if (grantsScope(principal.scopes, scope)) return;
  throw identityErrors.forbidden({
    message: `This needs the scope ${scope}, which the credential does not have.`,
    details: { scope },
  });
}

export function canSeeProject(principal: Principal, projectId: string): boolean {
  return principal.projects === 'all' || principal.projects.includes(projectId);
}

/** A project that the credential cannot see does not exist for it: 404, never 403. */
export function requireProject(principal: Principal, projectId: string): void {
  if (!canSeeProject(principal, projectId)) throw identityErrors.project_not_found();
}

/** The operator's own credential, by its kind: `*` is every scope within the key's projects and nothing more. */
export function isOwner(principal: Principal): boolean {
  return principal.owner;
}

/** A grant is read once and asked at every request. */
const voices = new WeakMap<readonly string[], (actorId: string) => boolean>();

function voiceOf(patterns: readonly string[]): (actorId: string) => boolean {
  let known = voices.get(patterns);
  if (known === undefined) {
    const matchers = patterns.map(globMatcher);
    known = (actorId) => matchers.some((matches) => matches(actorId));
    voices.set(patterns, known);
  }
  return known;
}

/** Whether it was let speak for this actor; its own is not asked here. */
export function speaksFor(principal: Principal, actorId: string): boolean {
  return voiceOf(principal.speaksFor)(actorId);
}

/** Whether a request may name this actor as the one who acts: the credential's own, or one it speaks for. */
export function mayActAs(principal: Principal, actorId: string): boolean {
  return actorId === principal.actor.id || speaksFor(principal, actorId);
}

/** What ownership compares: it outlives the rotation of a key and the renewal of a token. */
export function subjectOf(actor: Actor): string {
  return `${actor.type}:${actor.id}`;
}

/** The project that is meant, if the credential can see it. */
export function chosenProject(principal: Principal, named: string | undefined): string {
  const projectId = named ?? principal.defaultProject;
  requireProject(principal, projectId);
  return projectId;
}
