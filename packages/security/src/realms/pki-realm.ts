import type { ConfiguredRealm } from './realm-settings.js';
import { mappedAuthentication } from './mapped-user.js';
import type { CertificateRealm } from './realm.js';

/**
 * First value of an attribute in a distinguished name (`CN=anna,OU=people`, RFC 2253, or one attribute a line); null if
 * absent.
 */
export function attributeOf(subject: string, attribute: string): string | null {
  const parts = subject.match(/(?:\\[\s\S]|[^,\n+])+/g) ?? [];
  for (const part of parts) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim().toLowerCase() === attribute.toLowerCase())
      return part
        .slice(at + 1)
        .trim()
        .replace(/\\(.)/g, '$1');
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
