import type { ResourceRef } from './resource-uri.ts';

/** What the feed of a project tells of one change. */
export interface Change {
  readonly type: string;
  readonly ids: Readonly<Record<string, string>>;
}

/** Whether reading the resource again would show the change. */
export function isTouched(ref: ResourceRef, change: Change): boolean {
  const [family] = change.type.split('.');
  if (ref.kind === 'facts') return family === 'fact';
  if (ref.kind === 'package') return family === 'package' && change.ids.package_id === ref.packageId;
  return family === 'package' || family === 'fact' || family === 'project';
}
