/**
 * Where a login leads: `next` if it stays on our origin and below the base path, else the base path itself. Control
 * characters and backslashes, which browsers drop or turn into slashes, are refused.
 */
export function safeNext(next: string | null | undefined, basePath: string): string {
  const home = `${basePath}/`;
  // oxlint-disable-next-line no-control-regex
  if (!next || next.length > 4_096 || /[\u0000-\u0020\u007f\\]/.test(next)) return home;
  if (!next.startsWith('/') || next.startsWith('//')) return home;
  const base = 'http://dashboard.invalid';
  if (!URL.canParse(next, base)) return home;
  const url = new URL(next, base);
  if (url.origin !== base || url.pathname.startsWith('//')) return home;
  if (url.pathname !== basePath && !url.pathname.startsWith(home)) return home;
  return url.pathname + url.search + url.hash;
}
