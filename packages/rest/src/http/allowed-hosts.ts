import { isIP } from 'node:net';

/**
 * Ends of names that no public name server answers for, so that a web page cannot point them to this machine: names of
 * this machine, of container engines (`host.docker.internal`), and of services in Kubernetes.
 */
const PRIVATE_ENDS: readonly string[] = ['.localhost', '.internal', '.svc', '.cluster.local'];

/** Whether requests with a `Host` header are answered. */
export type HostCheck = (host: string | undefined) => boolean;

/** Name or address of a `Host` header, without its port, brackets and a final dot, in small letters. */
function nameOf(host: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(host)?.[1];
  return (bracketed ?? host.replace(/:\d*$/, '')).replace(/\.$/, '').toLowerCase();
}

/** Matches `name`, or `*` and `*.example.org`. */
function matchOf(pattern: string): (name: string) => boolean {
  const wanted = pattern.toLowerCase();
  if (wanted === '*') return () => true;
  if (wanted.startsWith('*.')) return (name) => name.endsWith(wanted.slice(1));
  return (name) => name === wanted;
}

/**
 * Creates the check of a node without security. `allowed` are names of the node and of its configuration. Besides them
 * addresses, names without a dot and names of private networks are answered.
 *
 * The check stops DNS rebinding: a page of `http://evil.example:9200` lets its name point to 127.0.0.1 after it was
 * loaded; for the browser this node is then the server of the page, which reads all documents. The `Host` header still
 * says `evil.example`. A name without a dot cannot be registered by anybody, and names of services in compose files
 * (`es01`) have none. A request without the header is none of a browser.
 */
export function createHostCheck(allowed: readonly string[]): HostCheck {
  const matches = allowed.map(matchOf);
  const isAllowed = (name: string): boolean =>
    isIP(name) !== 0 ||
    !name.includes('.') ||
    PRIVATE_ENDS.some((end) => name.endsWith(end)) ||
    matches.some((match) => match(name));
  // Clients repeat their header with each request.
  let last: string | undefined;
  return (host) => {
    if (host === undefined || host === last) return true;
    if (!isAllowed(nameOf(host))) return false;
    last = host;
    return true;
  };
}
