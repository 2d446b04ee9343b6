/** A configured realm. */
export interface ConfiguredRealm {
  readonly type: 'native' | 'file' | 'jwt' | 'pki';
  readonly name: string;
  /** Settings of the realm besides `order` and `enabled`, without the prefix. */
  readonly values: ReadonlyMap<string, string>;
}

const PREFIX = 'xpack.security.authc.realms.';

/** Settings that every realm has. */
const COMMON = ['order', 'enabled'];

/** Further settings of each type; a name that ends in `.*` allows all settings below it. */
const KNOWN: Readonly<Record<ConfiguredRealm['type'], readonly string[]>> = {
  native: [],
  file: [],
  jwt: [
    'token_type',
    'allowed_issuer',
    'allowed_audiences',
    'allowed_subjects',
    'allowed_signature_algorithms',
    'allowed_clock_skew',
    'pkc_jwkset_path',
    'hmac_key',
    'hmac_jwkset',
    'claims.principal',
    'claims.groups',
    'claims.name',
    'claims.mail',
    'client_authentication.type',
    'client_authentication.shared_secret',
    'populate_user_metadata',
    'required_claims.*',
    ...[
      'certificate_authorities',
      'truststore.path',
      'truststore.type',
      'truststore.password',
      'truststore.secure_password',
      'verification_mode',
      'supported_protocols',
      'cipher_suites',
    ].map((key) => `ssl.${key}`),
    'http.connect_timeout',
    'http.connection_read_timeout',
    'http.socket_timeout',
  ],
  pki: ['username_rdn_name'],
};

const DIRECTORY =
  'Remove the settings of this realm and let users of the directory log in with tokens of an identity provider in ' +
  'front of it (jwt), with client certificates (pki), or as native users';
const SIGN_ON =
  "Remove the settings of this realm and let clients show the provider's tokens as [Authorization: Bearer] (jwt: " +
  "allowed_issuer, allowed_audiences, claims.principal and pkc_jwkset_path, which may be the provider's https " +
  'address)';

/** Realm types of Elasticsearch that need an external service, with the advice that refuses them. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['ldap', DIRECTORY],
  ['active_directory', DIRECTORY],
  ['kerberos', DIRECTORY],
  ['saml', SIGN_ON],
  ['oidc', SIGN_ON],
]);

interface Draft {
  readonly type: ConfiguredRealm['type'];
  readonly name: string;
  readonly values: Map<string, string>;
}

function isKnown(type: ConfiguredRealm['type'], key: string): boolean {
  return [...COMMON, ...KNOWN[type]].some((known) =>
    known.endsWith('.*') ? key.startsWith(known.slice(0, -1)) && key.length > known.length - 1 : known === key,
  );
}

function checkType(type: string, setting: string): ConfiguredRealm['type'] {
  if (Object.hasOwn(KNOWN, type)) return type as ConfiguredRealm['type'];
  if (ELSEWHERE.has(type))
    throw new Error(
      `setting [${setting}]: realms of type [${type}] are not supported; native, file, jwt and pki are. ` +
        `${ELSEWHERE.get(type)}`,
    );
  throw new Error(`setting [${setting}]: unknown realm type [${type}]; native, file, jwt and pki are supported`);
}

function collect(settings: ReadonlyMap<string, string>): Draft[] {
  const drafts = new Map<string, Draft>();
  for (const [setting, value] of settings) {
    if (!setting.startsWith(PREFIX)) continue;
    const [type = '', name = '', ...rest] = setting.slice(PREFIX.length).split('.');
    const known = checkType(type, setting);
    const key = rest.join('.');
    if (name === '' || !isKnown(known, key))
      throw new Error(
        `unknown setting [${setting}]: a realm of type [${type}] takes ${[...COMMON, ...KNOWN[known]].join(', ')}`,
      );
    const id = `${type}.${name}`;
    const draft = drafts.get(id) ?? { type: known, name, values: new Map() };
    draft.values.set(key, value);
    drafts.set(id, draft);
  }
  return [...drafts.values()];
}

function orderOf({ type, name, values }: Draft): number {
  const text = values.get('order');
  if (text !== undefined && /^-?\d{1,9}$/.test(text)) return Number(text);
  throw new Error(
    text === undefined
      ? `Found realms without order config: [${PREFIX}${type}.${name}.order]`
      : `Failed to parse value [${text}] for setting [${PREFIX}${type}.${name}.order]`,
  );
}

function isEnabled({ type, name, values }: Draft): boolean {
  const text = values.get('enabled') ?? 'true';
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Error(`setting [${PREFIX}${type}.${name}.enabled] must be true or false but was [${text}]`);
}

function checkUnique(drafts: readonly Draft[]): void {
  const names = new Set<string>();
  const single = new Set<string>();
  for (const { type, name } of drafts) {
    if (names.has(name)) throw new Error(`two realms have the name [${name}]`);
    names.add(name);
    if (type !== 'native' && type !== 'file') continue;
    if (single.has(type)) throw new Error(`there can only be one realm of type [${type}]`);
    single.add(type);
  }
}

/**
 * Parses `xpack.security.authc.realms.<type>.<name>.*` into the enabled realms, in order. If the settings do not name
 * `file` or `native`, these realms come first as `default_file` and `default_native`. Throws an Error that names the
 * wrong setting.
 */
export function parseRealms(settings: ReadonlyMap<string, string>): readonly ConfiguredRealm[] {
  const drafts = collect(settings);
  checkUnique(drafts);
  const configured = drafts.map((draft) => ({ draft, order: orderOf(draft) })).sort((a, b) => a.order - b.order);
  const absent = (['file', 'native'] as const).filter((type) => !drafts.some((draft) => draft.type === type));
  return [
    ...absent.map((type): ConfiguredRealm => ({ type, name: `default_${type}`, values: new Map() })),
    ...configured
      .filter(({ draft }) => isEnabled(draft))
      .map(({ draft: { type, name, values } }): ConfiguredRealm => ({ type, name, values })),
  ];
}
