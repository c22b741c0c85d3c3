import { Outlet } from '@tanstack/react-router';
import { useJournalConnection } from '../live/use-live-journal.ts';
import { useBrowserNotices } from '../notifications/use-browser-notices.ts';
import { CommandPalette } from './command-palette.tsx';
import { Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';
import { usePrefetch } from './use-prefetch.ts';

/** The page scrolls and not the window, so that a scroll bar that comes or goes moves nothing. */
export const SCROLLER = 'scroller';

/** What stands around every page. */
export function Shell() {
  useJournalConnection();
  usePrefetch();
  useBrowserNotices();
  return (
    <div className="flex h-dvh flex-col overflow-hidden lg:grid print:block print:h-auto print:overflow-visible lg:grid-cols-[14.5rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="sr-only z-50 rounded-control bg-accent-solid px-3 py-2 font-medium text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to the page
      </a>
      <aside className="hidden min-h-0 border-line border-r lg:block print:hidden">
        <Sidebar />
      </aside>
      <TopBar />
      <div
        id={SCROLLER}
        className="min-h-0 min-w-0 flex-1 overflow-y-auto [scrollbar-gutter:stable] print:overflow-visible"
      >
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto w-full max-w-[84rem] px-4 py-6 sm:px-6 lg:px-10 lg:py-9"
        >
          <Outlet />
        </main>
      </div>
      <CommandPalette />
    </div>
  );
}
