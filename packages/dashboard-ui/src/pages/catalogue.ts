import type { ComponentType } from 'preact';

/** A page of the frame. */
export interface Page {
  /** Name in the address: `/app/{id}`. */
  readonly id: string;
  /** Name in the navigation, and the first heading. */
  readonly name: string;
  /** Loads the page's script on first use. */
  readonly load: () => Promise<{ readonly Page: ComponentType }>;
}

/** All pages in the order of the navigation. */
export const PAGES: readonly Page[] = [
  { id: 'home', name: 'Home', load: () => import('./home/page.js') },
  { id: 'discover', name: 'Discover', load: () => import('./discover/page.js') },
  { id: 'dashboards', name: 'Dashboards', load: () => import('./dashboards/page.js') },
  { id: 'console', name: 'Console', load: () => import('./console/page.js') },
  { id: 'playground', name: 'Search playground', load: () => import('./playground/page.js') },
  { id: 'indices', name: 'Indices', load: () => import('./indices/page.js') },
  { id: 'data', name: 'Add data', load: () => import('./data/page.js') },
  { id: 'pipelines', name: 'Ingest pipelines', load: () => import('./pipelines/page.js') },
  { id: 'snapshots', name: 'Snapshots', load: () => import('./snapshots/page.js') },
  { id: 'cluster', name: 'Cluster', load: () => import('./cluster/page.js') },
  { id: 'ml', name: 'Machine learning', load: () => import('./ml/page.js') },
  { id: 'security', name: 'Security', load: () => import('./security/page.js') },
  { id: 'settings', name: 'Settings', load: () => import('./settings/page.js') },
];
