import { errors } from '@shoal/errors';

function badEscape(text: string): string {
  const at = /%(?![0-9A-Fa-f]{2})/.exec(text)?.index ?? 0;
  if (at + 2 >= text.length) return `partial escape sequence at end of string: ${text}`;
  return `invalid escape sequence \`${text.slice(at, at + 3)}' at index ${at} of: ${text}`;
}

/** Decodes a path segment; `+` is not a space. `path` is quoted in the error. */
export function decodePathSegment(segment: string, path: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    if (!/%(?![0-9A-Fa-f]{2})/.test(segment)) return decodeLatin(segment);
    throw errors.illegalArgument(badEscape(path));
  }
}

/** Decodes escapes that are not valid UTF-8: as replacement characters rather than an error, like Java's decoder. */
function decodeLatin(text: string): string {
  const bytes = text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function decodeQueryPart(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    if (!/%(?![0-9A-Fa-f]{2})/.test(spaced)) return decodeLatin(spaced);
    const cause = errors.illegalArgument(badEscape(text));
    throw errors.badParameter(`java.lang.IllegalArgumentException: ${cause.reason}`, { cause });
  }
}

/** Parameters of a query string; if a name is repeated, the last value wins. */
export function parseQueryString(query: string): Map<string, string> {
  const values = new Map<string, string>();
  let start = 0;
  while (start < query.length) {
    const next = query.indexOf('&', start);
    const end = next === -1 ? query.length : next;
    if (end > start) {
      const equals = query.indexOf('=', start);
      const nameEnd = equals === -1 || equals > end ? end : equals;
      values.set(
        decodeQueryPart(query.slice(start, nameEnd)),
        nameEnd === end ? '' : decodeQueryPart(query.slice(nameEnd + 1, end)),
      );
    }
    start = end + 1;
  }
  return values;
}
