import type { ConfiguredRealm } from './realm-settings.js';
import { mappedAuthentication } from './mapped-user.js';
import type { CertificateRealm } from './realm.js';

/** Undoes the escapes of RFC 2253: `\,` is a comma, `\0A` a newline. Spaces at the ends count only if escaped. */
const unescaped = (value: string): string =>
  value
    .replace(/^ +/, '')
    .replace(/((?:^|[^\\])(?:\\\\)*(?:\\ )?) +$/, '$1')
    .replace(/\\(?:([\da-fA-F]{2})|([\s\S]))/g, (_, code: string | undefined, char: string | undefined) =>
      code === undefined ? char! : String.fromCharCode(Number.parseInt(code, 16)),
    );

/** First value of an attribute in a distinguished name (RFC 2253: `CN=anna,OU=people`); null if absent. */
export function attributeOf(subject: string, attribute: string): string | null {
  const parts = subject.match(/(?:\\[\s\S]|[^,+\\])+/g) ?? [];
  for (const part of parts) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim().toLowerCase() === attribute.toLowerCase())
      return unescaped(part.slice(at + 1));
  }
  return null;
}

/**
 * Realm of users with a client certificate, which the HTTP layer has verified. An attribute of its subject is the
 * username, `CN` by default.
 */
export function pkiRealm({ name, values }: ConfiguredRealm): CertificateRealm {
  const ref = { name, type: 'pki' };
  const attribute = values.get('username_rdn_name') ?? 'CN';
  return {
    ref,
    verify(subject) {
      const username = attributeOf(subject, attribute);
      if (username === null || username === '') return null;
      const user = { username, dn: subject, groups: [], fullName: null, email: null, metadata: { pki_dn: subject } };
      return { current: (state) => mappedAuthentication(state, user, ref), expiresAtMs: null, tags: [name, username] };
    },
  };
}
