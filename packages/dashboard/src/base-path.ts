/**
 * The path of the dashboard in a request's URL, or null if the request is for something else. With
 * `isBasePathInRequests` requests arrive as browsers made them and the base path is taken off; without, a proxy has
 * taken it off already.
 */
export function withoutBasePath(url: string, basePath: string, isBasePathInRequests: boolean): string | null {
  if (!isBasePathInRequests) return url;
  if (!url.startsWith(basePath)) return null;
  const rest = url.slice(basePath.length);
  if (rest === '') return '/';
  if (rest.startsWith('/')) return rest;
  return rest.startsWith('?') ? `/${rest}` : null;
}
