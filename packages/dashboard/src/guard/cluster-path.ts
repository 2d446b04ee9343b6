import type { Refusal } from './refusal.js';

const PATH_CHARACTERS_MAX = 8_192;
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH']);

/** Method and path of a call that goes through to the cluster. */
export interface ClusterTarget {
  readonly method: string;
  readonly path: string;
}

/**
 * Reads `?path=&method=` of the way through. Host, scheme and port come from the settings alone: the path must begin
 * with exactly one slash and hold nothing that a server or a proxy before the cluster could read in two ways.
 */
export function clusterTarget(query: URLSearchParams): ClusterTarget | Refusal {
  const method = (query.get('method') ?? '').toUpperCase();
  const path = query.get('path') ?? '';
  if (!METHODS.has(method))
    return { status: 400, message: `Method [${method}] is not one of ${[...METHODS].join(', ')}.` };
  if (path.length > PATH_CHARACTERS_MAX)
    return { status: 400, message: `The path has more than ${PATH_CHARACTERS_MAX} characters.` };
  if (!path.startsWith('/')) return { status: 400, message: 'The path must begin with a slash.' };
  const withoutQuery = path.split('?', 1)[0]!;
  const isUnclear = withoutQuery.includes('//') || /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(withoutQuery);
  // oxlint-disable-next-line no-control-regex
  if (isUnclear || /[\u0000-\u0020\u007f\\#]/.test(path) || /%(?:0[0ad]|5c)/i.test(withoutQuery))
    return { status: 400, message: 'The path has control characters, spaces, [\\], [#], [//] or dots as a step.' };
  return { method, path: encodeRest(path) };
}

/** Characters beyond ASCII, as people type them into the console, become percent codes. */
const encodeRest = (path: string): string =>
  path.replace(/[^\u0021-\u007e]+/gu, (text) => encodeURIComponent(Buffer.from(text).toString()));
