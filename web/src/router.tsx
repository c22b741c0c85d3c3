import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorRouteComponent,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { pages } from './pages.tsx';
import { loadPage } from './shell/load-page.ts';
import { NotFoundPage, PageFailed, PagePending } from './shell/page-states.tsx';
import { SCROLLER, Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage });

const routes = pages.map(({ path, load }) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(async () => ({ default: await loadPage(load) })),
    /** Filters and selections stand in the address; each page reads its own. */
    validateSearch: (search: Record<string, unknown>) => search,
  }),
);

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPreload: 'intent',
  defaultPendingComponent: PagePending,
  defaultErrorComponent: PageFailed as ErrorRouteComponent,
  scrollRestoration: true,
  scrollToTopSelectors: [`#${SCROLLER}`],
});
