/** Parts of a URI as java.net.URI and java.net.URL tell them; null for what it does not have. */
export interface UriParts {
  readonly scheme: string | null;
  readonly userInfo: string | null;
  readonly host: string | null;
  readonly port: number | null;
  readonly path: string | null;
  readonly query: string | null;
  readonly fragment: string | null;
}

/** RFC 3986, appendix B. */
const PARTS = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/**
 * Characters that java.net.URI takes: those of RFC 2396, escapes, and what is not ASCII, neither space nor control.
 * Paths have no brackets; queries and fragments do.
 */
const OTHER = String.raw`[^\x00-\x7f]`;
const IN_PATH = new RegExp(String.raw`^(?:[\w\-.!~*'();/:@&=+$,]|%[0-9a-fA-F]{2}|${OTHER})*$`);
const IN_QUERY = new RegExp(String.raw`^(?:[\w\-.!~*'();/?:@&=+$,[\]]|%[0-9a-fA-F]{2}|${OTHER})*$`);
const IN_AUTHORITY = new RegExp(String.raw`^(?:[\w\-.!~*'();:@&=+$,[\]]|%[0-9a-fA-F]{2}|${OTHER})*$`);
const NO_CHARACTER = /[\s\u0080-\u009f\u00a0\u2028\u2029]/u;

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const TOP = '[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
/** `user@host:port`, whose host is a name, an address of IPv4 or one of IPv6 in brackets. */
const SERVER = new RegExp(
  String.raw`^(?:([^@[\]]*)@)?((?:${LABEL}\.)*${TOP}\.?|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:.%\w]+\])(?::(\d*))?$`,
);

/** Protocols that java.net.URL knows. */
const PROTOCOLS = new Set(['http', 'https', 'ftp', 'file', 'jar', 'mailto']);

const orNull = (text: string | undefined): string | null => text ?? null;

/** Puts characters in the place of their escapes; bytes that are no UTF-8 become U+FFFD. */
function decoded(text: string | undefined): string | null {
  if (text === undefined) return null;
  return text.replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}

/** Returns the parts of a URI, their escapes decoded, or of a URL as it is written; null for what is neither. */
export function parseUri(text: string): UriParts | null {
  const match = PARTS.exec(text);
  if (!match) return null;
  return uriOf(text, match) ?? urlOf(match);
}

/** What java.net.URI makes of a text: of a scheme without a path that begins with a slash it tells neither. */
function uriOf(text: string, [, scheme, authority, path = '', query, fragment]: RegExpExecArray): UriParts | null {
  if (text === '' || NO_CHARACTER.test(text) || !IN_PATH.test(path))
    return scheme === undefined && text === '' ? EMPTY : null;
  if (![query ?? '', fragment ?? ''].every((part) => IN_QUERY.test(part)) || !IN_AUTHORITY.test(authority ?? ''))
    return null;
  if (scheme === undefined && /^[^/]*:/.test(text)) return null;
  const isOpaque = scheme !== undefined && authority === undefined && !path.startsWith('/');
  if (isOpaque) return path === '' ? null : { ...EMPTY, path: null, scheme: scheme!, fragment: decoded(fragment) };
  if (authority === '' && path === '') return null;
  const [, user, host, port] = SERVER.exec(authority ?? '') ?? [];
  return {
    scheme: orNull(scheme),
    userInfo: decoded(user),
    host: orNull(host),
    port: port ? Number(port) : null,
    path: decoded(path),
    query: decoded(query),
    fragment: decoded(fragment),
  };
}

const EMPTY: UriParts = {
  scheme: null,
  userInfo: null,
  host: null,
  port: null,
  path: '',
  query: null,
  fragment: null,
};

/** What java.net.URL makes of a text: it knows some protocols only, and takes any character. */
function urlOf([, scheme, authority, path = '', query, fragment]: RegExpExecArray): UriParts | null {
  if (scheme === undefined || !PROTOCOLS.has(scheme.toLowerCase())) return null;
  const at = authority?.lastIndexOf('@') ?? -1;
  const server = authority?.slice(at + 1) ?? '';
  const [, host, port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(server) ?? [];
  if (host === undefined || (port !== undefined && !/^\d*$/.test(port))) return null;
  return {
    scheme: scheme.toLowerCase(),
    userInfo: at < 0 ? null : authority!.slice(0, at),
    host,
    port: port ? Number(port) : null,
    path,
    query: orNull(query),
    fragment: orNull(fragment),
  };
}
