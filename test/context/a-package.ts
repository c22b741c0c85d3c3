/** A whole package; the tests say only what they are about. */
export function aPackage(id: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    package_id: id,
    project_id: 'p',
    relay_version: '0.1',
    title: `Package ${id}`,
    status: 'complete',
    package_type: 'standard',
    review_type: 'none',
    created_at: '2026-04-18T20:00:00Z',
    created_by: { id: 'ada', type: 'agent', session_id: null },
    ...more,
  };
}
