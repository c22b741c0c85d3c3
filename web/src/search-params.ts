import { useNavigate, useSearch } from '@tanstack/react-router';

export type Params = Readonly<Record<string, string | undefined>>;

/** The address bar as state: what is selected can be linked to, and Back undoes it. */
export function useParams(): [
  params: Params,
  change: (next: Params, options?: { replace?: boolean }) => void,
] {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null) params[name] = String(value);
  }
  return [
    params,
    (next, options) => {
      const kept = Object.fromEntries(
        Object.entries({ ...params, ...next }).filter(([, value]) => value !== undefined && value !== ''),
      );
      void navigate({ to: '.', search: kept, replace: options?.replace ?? false } as never);
    },
  ];
}

/** Which view of a page the address names; the first one needs no name. */
export function useView<View extends string>(
  views: readonly [View, ...View[]],
): [view: View, show: (view: View, also?: Params) => void] {
  const [params, change] = useParams();
  const view = views.find((each) => each === params.view) ?? views[0];
  return [view, (next, also) => change({ ...also, view: next === views[0] ? undefined : next })];
}
