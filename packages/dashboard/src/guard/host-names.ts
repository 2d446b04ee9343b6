import { isIP } from 'node:net';

/** Ends of names that no public name server answers for. */
const PRIVATE_ENDS = ['.localhost', '.internal', '.svc', '.cluster.local'];

/**
 * Whether a request with this `Host` header is answered while the cluster has no security. A page of
 * `http://evil.example:5601` can let its name point to this machine after it was loaded (DNS rebinding); the browser
 * then takes the dashboard for the server of that page, and only the header still says `evil.example`. Addresses, names
 * without a dot and names of private networks cannot be taken over in this way.
 */
export function isHostAnswered(host: string | undefined, allowed: readonly string[]): boolean {
  if (host === undefined) return true;
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(host)?.[1];
  const name = (bracketed ?? host.replace(/:\d*$/, '')).replace(/\.$/, '').toLowerCase();
  if (isIP(name) !== 0 || !name.includes('.')) return true;
  return PRIVATE_ENDS.some((end) => name.endsWith(end)) || allowed.some((pattern) => matches(pattern, name));
}

function matches(pattern: string, name: string): boolean {
  const wanted = pattern.toLowerCase();
  if (wanted === '*') return true;
  return wanted.startsWith('*.') ? name.endsWith(wanted.slice(1)) : name === wanted;
}
