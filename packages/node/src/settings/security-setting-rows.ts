import type { NodeSetting } from './node-setting.js';

const REALMS = 'xpack.security.authc.realms.*';

/** Settings of authentication. */
export const securitySettingRows: readonly NodeSetting[] = [
  {
    name: 'xpack.security.enabled',
    kind: 'boolean',
    fallback: null,
    description:
      'Whether callers must say who they are, and may do only what their roles grant. When absent: true if ' +
      '`ELASTIC_PASSWORD` is set or HTTP or transport are bound to an address that is not loopback.',
  },
  {
    name: 'bootstrap.password',
    kind: 'text',
    fallback: null,
    description:
      'Password of `elastic` until one is set with the API; the environment variable `ELASTIC_PASSWORD` sets it.',
    isSecret: true,
  },
  {
    name: 'xpack.security.authc.anonymous.roles',
    kind: 'list',
    fallback: null,
    description: 'Roles of requests without credentials; without any such requests are refused.',
  },
  {
    name: 'xpack.security.authc.anonymous.username',
    kind: 'text',
    fallback: '_anonymous',
    description: 'Name of the user that requests without credentials stand for.',
  },
  {
    name: 'xpack.security.authc.anonymous.authz_exception',
    kind: 'boolean',
    fallback: 'true',
    description:
      'Whether what that user may not do is answered with 403; false: with 401, so that a browser asks for ' +
      'credentials.',
  },
  {
    name: 'xpack.security.authc.reserved_realm.enabled',
    kind: 'boolean',
    fallback: 'true',
    description: 'Whether `elastic` and the other reserved users can log in.',
  },
  {
    name: 'xpack.security.authc.run_as.enabled',
    kind: 'boolean',
    fallback: 'true',
    description: 'Whether `es-security-runas-user` is looked at.',
  },
  {
    name: 'xpack.security.authc.cache.ttl',
    kind: 'time',
    fallback: '20m',
    description: 'How long right credentials stay known; a password that was changed is never accepted from there.',
  },
  {
    name: 'xpack.security.authc.api_key.enabled',
    kind: 'boolean',
    fallback: 'true',
    description: 'Whether API keys are accepted and made.',
  },
  {
    name: 'xpack.security.authc.api_key.doc_cache.ttl',
    kind: 'time',
    fallback: '5m',
    description:
      'After this time at the latest a key that is in use is read again; nodes tell each other of invalidated ones ' +
      'at once.',
  },
  {
    name: 'xpack.security.authc.api_key.delete.retention_period',
    kind: 'time',
    fallback: '7d',
    description: 'How long API keys that expired or were invalidated can still be looked at.',
  },
  {
    name: 'xpack.security.authc.token.enabled',
    kind: 'boolean',
    fallback: null,
    description: 'Whether OAuth 2 tokens are granted and accepted; true with TLS for HTTP, else false, when absent.',
  },
  {
    name: 'xpack.security.authc.token.timeout',
    kind: 'time',
    fallback: '20m',
    description: 'How long a token is accepted, 1s to 1h.',
  },
  {
    name: REALMS,
    kind: 'text',
    fallback: null,
    description:
      'Realms: `<type>.<name>.order` and so on, of the types `native`, `file`, `jwt` and `pki` ' +
      '([security.md](security.md)).',
    isSecret: true,
  },
];
