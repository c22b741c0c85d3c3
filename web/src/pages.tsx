import type { ComponentType } from 'react';
import type { IconName } from './ui/icon.tsx';

export interface Page {
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  /** Fetched when the page is first opened. */
  readonly load: () => Promise<ComponentType>;
  /** Left out of the navigation for whoever may not read it. */
  readonly scope?: string;
  /** Pages of one group stand together. */
  readonly group: 'work' | 'knowledge' | 'house';
  /** What the command palette finds it by, beside its label. */
  readonly also?: string;
}

/** Every page of the dashboard, in the order of the navigation. A new page is a file and a line here. */
export const pages: readonly Page[] = [
  {
    path: '/',
    label: 'Home',
    icon: 'home',
    group: 'work',
    load: async () => (await import('./home/home-page.tsx')).HomePage,
    also: 'overview health live control room agents activity spending',
  },
  {
    path: '/inbox',
    label: 'Inbox',
    icon: 'inbox',
    group: 'work',
    scope: 'inbox:read',
    load: async () => (await import('./inbox/inbox-page.tsx')).InboxPage,
    also: 'approve reject decisions waiting',
  },
  {
    path: '/journal',
    label: 'Journal',
    icon: 'journal',
    group: 'work',
    scope: 'journal:read',
    load: async () => (await import('./journal/journal-page.tsx')).JournalPage,
    also: 'events history log',
  },
  {
    path: '/context',
    label: 'Context',
    icon: 'context',
    group: 'knowledge',
    scope: 'packages:read',
    load: async () => (await import('./context/context-page.tsx')).ContextPage,
    also: 'packages facts sessions handoff decisions questions search orient',
  },
  {
    path: '/policies',
    label: 'Policies',
    icon: 'policy',
    group: 'knowledge',
    scope: 'atlas:read',
    load: async () => (await import('./policies/policies-page.tsx')).PoliciesPage,
    also: 'atlas rules governance allow deny explain actions approvals',
  },
  {
    path: '/memory',
    label: 'Memory',
    icon: 'memory',
    group: 'knowledge',
    scope: 'memory:own',
    load: async () => (await import('./memory/memory-page.tsx')).MemoryPage,
    also: 'profile consent proposals erase a2p',
  },
  {
    path: '/runs',
    label: 'Runs',
    icon: 'run',
    group: 'knowledge',
    scope: 'delivery:read',
    load: async () => (await import('./runs/runs-page.tsx')).RunsPage,
    also: 'delivery gates turns phases repositories agentxchain',
  },
  {
    path: '/traces',
    label: 'Traces',
    icon: 'trace',
    group: 'knowledge',
    scope: 'trace:read',
    load: async () => (await import('./traces/traces-page.tsx')).TracesPage,
    also: 'spans agents relay a2a opentelemetry waterfall graph',
  },
  {
    path: '/why',
    label: 'Why',
    icon: 'why',
    group: 'knowledge',
    scope: 'why:read',
    load: async () => (await import('./why/why-page.tsx')).WhyPage,
    also: 'reason cause provenance proof explain',
  },
  {
    path: '/connect',
    label: 'Connect',
    icon: 'plus',
    group: 'house',
    scope: 'keys:manage',
    load: async () => (await import('./connect/connect-page.tsx')).ConnectPage,
    also: 'agent key claude codex cursor mcp project new',
  },
  {
    path: '/verify',
    label: 'Verify',
    icon: 'verify',
    group: 'house',
    load: async () => (await import('./verify/verify-page.tsx')).VerifyPage,
    also: 'proof check signature',
  },
  {
    path: '/settings',
    label: 'Settings',
    icon: 'settings',
    group: 'house',
    load: async () => (await import('./settings/settings-page.tsx')).SettingsPage,
    also: 'keys passphrase theme sign out',
  },
];
