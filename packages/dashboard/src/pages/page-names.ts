/** Pages below `/app/`. */
const PAGES: ReadonlySet<string> = new Set([
  'home',
  'discover',
  'dashboards',
  'console',
  'playground',
  'indices',
  'data',
  'pipelines',
  'snapshots',
  'cluster',
  'ml',
  'security',
  'settings',
]);

/** Addresses of Kibana's pages and the page here that does the same. */
const OF_KIBANA: Readonly<Record<string, string>> = {
  kibana: 'home',
  management: 'indices',
  visualize: 'dashboards',
  lens: 'dashboards',
  dev_tools: 'console',
};

/** What is at `/app/{name}`: a page, another one that it leads to, or nothing. */
export function pageAt(name: string): { readonly page: string } | { readonly leadsTo: string } | null {
  if (PAGES.has(name)) return { page: name };
  return Object.hasOwn(OF_KIBANA, name) ? { leadsTo: `/app/${OF_KIBANA[name]}` } : null;
}
