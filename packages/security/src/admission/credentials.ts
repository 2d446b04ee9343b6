/** Credentials in an `Authorization` header. */
export type Credentials =
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'apiKey'; readonly id: string; readonly secret: string }
  | { readonly kind: 'malformed'; readonly reason: string };

/** Splits a decoded `base64(left:right)`; null if there is no colon. */
function decodePair(text: string): readonly [left: string, right: string] | null {
  const decoded = Buffer.from(text, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 0 ? null : [decoded.slice(0, colon), decoded.slice(colon + 1)];
}

function basic(value: string): Credentials {
  const pair = decodePair(value);
  if (!pair) return { kind: 'malformed', reason: 'invalid basic authentication header value' };
  return { kind: 'basic', username: pair[0], password: pair[1] };
}

function apiKey(value: string): Credentials {
  const pair = decodePair(value);
  if (!pair || pair[0] === '' || pair[1] === '') return { kind: 'malformed', reason: 'invalid ApiKey value' };
  return { kind: 'apiKey', id: pair[0], secret: pair[1] };
}

/** Parses the header; null if it is absent or of an unknown scheme, which counts as no credentials. */
export function parseCredentials(header: string | undefined): Credentials | null {
  if (header === undefined) return null;
  const space = header.indexOf(' ');
  if (space < 0) return null;
  const scheme = header.slice(0, space).toLowerCase();
  const value = header.slice(space + 1).trim();
  if (scheme === 'basic') return basic(value);
  if (scheme === 'apikey') return apiKey(value);
  return scheme === 'bearer' && value !== '' ? { kind: 'bearer', token: value } : null;
}
