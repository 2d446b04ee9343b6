import {
  type DashboardSettingSources,
  DashboardSettingsError,
  settingValues,
  type SettingValues,
} from './setting-values.js';
import { type ServerTls, serverTls, type TlsSettings, tlsSettings } from './tls-settings.js';

/** Values of the headers that `server.securityResponseHeaders.*` name. */
export interface SafetyValues {
  /** Null for what is said with TLS alone. */
  readonly transport: string | null;
  readonly contentTypes: string;
  readonly referrers: string;
  readonly permissions: string;
  readonly openers: string;
}

/** What the dashboard is configured to do; all values are checked. */
export interface DashboardSettings {
  readonly server: {
    readonly host: string;
    readonly port: number;
    /** `/kibana`, or empty. */
    readonly basePath: string;
    readonly isBasePathInRequests: boolean;
    readonly publicBaseUrl: string | null;
    readonly defaultRoute: string;
    readonly bodyBytesMax: number;
    readonly socketTimeoutMs: number;
    readonly keepAliveMs: number;
    readonly shutdownMs: number;
    readonly isCompressed: boolean;
    readonly customHeaders: Readonly<Record<string, string>>;
    readonly xsrfAllowlist: readonly string[];
    readonly isEmbeddable: boolean;
    readonly safety: SafetyValues;
    readonly tls: ServerTls | null;
    readonly policy: {
      readonly img: readonly string[];
      readonly connect: readonly string[];
      readonly frames: readonly string[];
    };
    readonly allowedHosts: readonly string[];
  };
  readonly cluster: {
    readonly hosts: readonly URL[];
    /** Value of the header `authorization` of the dashboard's own user; null without one. */
    readonly authorization: string | null;
    readonly username: string | null;
    readonly password: string | null;
    readonly requestTimeoutMs: number;
    readonly pingTimeoutMs: number;
    /** Headers of browsers that go on to the cluster, in small letters. */
    readonly forwardedHeaders: readonly string[];
    readonly customHeaders: Readonly<Record<string, string>>;
    readonly verification: 'full' | 'certificate' | 'none';
    readonly tls: TlsSettings;
    /** Whether the certificate of `tls` is shown for calls of users, too. */
    readonly isCertificateForUsers: boolean;
  };
  readonly sessions: {
    readonly encryptionKey: string | null;
    readonly cookieName: string;
    readonly isCookieSecure: boolean;
    readonly sameSite: string;
    readonly idleMs: number;
    readonly lifespanMs: number;
    readonly ofUserMax: number | null;
    readonly max: number;
  };
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  readonly isStatusAnonymous: boolean;
  readonly hasSetup: boolean;
  /** Limits of one import or export. */
  readonly exports: { readonly rowsMax: number; readonly hasGuardedFormulas: boolean };
  readonly savedObjects: { readonly importBytesMax: number; readonly objectsMax: number };
  /** Names of settings that were given and have no effect. */
  readonly ignored: readonly string[];
}

/** Shortest `xpack.security.encryptionKey`. */
const KEY_CHARACTERS_MIN = 32;
/** Headers that decide who the caller is; they never come from a browser. */
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'es-security-runas-user',
  'es-secondary-authorization',
  'cookie',
  'host',
  'connection',
]);

/** Reads and checks all settings. Throws DashboardSettingsError with what is wrong. */
export function loadDashboardSettings(sources: DashboardSettingSources): DashboardSettings {
  const values = settingValues(sources);
  const tls = serverTls(values, values.integer('server.port')!);
  return {
    server: { ...serverSettings(values), tls },
    cluster: clusterSettings(values),
    sessions: sessionSettings(values, tls !== null),
    logLevel: values.text('logging.root.level') as DashboardSettings['logLevel'],
    isStatusAnonymous: values.boolean('status.allowAnonymous')!,
    hasSetup: values.boolean('shoal.dashboard.setup')!,
    exports: {
      rowsMax: values.integer('shoal.dashboard.export_rows_max')!,
      hasGuardedFormulas: values.boolean('xpack.reporting.csv.escapeFormulaValues')!,
    },
    savedObjects: {
      importBytesMax: values.bytes('savedObjects.maxImportPayloadBytes'),
      objectsMax: values.integer('savedObjects.maxImportExportSize')!,
    },
    ignored: values.ignored,
  };
}

function serverSettings(values: SettingValues): Omit<DashboardSettings['server'], 'tls'> {
  const basePath = values.text('server.basePath')!;
  const isBasePathInRequests = values.boolean('server.rewriteBasePath')!;
  if (basePath !== '' && !/^(?:\/[\w.~-]+)+$/.test(basePath))
    throw new DashboardSettingsError(
      '[server.basePath] must begin with a slash, not end with one and hold letters, digits and -._~ alone, ' +
        `but was [${basePath}]`,
    );
  if (isBasePathInRequests && basePath === '')
    throw new DashboardSettingsError('[server.rewriteBasePath] needs [server.basePath]');
  const defaultRoute = values.text('server.defaultRoute')!;
  if (!/^\/(?![/\\])[^\s\\]*$/.test(defaultRoute))
    throw new DashboardSettingsError(`[server.defaultRoute] must be a path of the dashboard but was [${defaultRoute}]`);
  return {
    host: values.text('server.host')!,
    port: values.integer('server.port')!,
    basePath,
    isBasePathInRequests,
    publicBaseUrl: publicBaseUrl(values.text('server.publicBaseUrl'), basePath),
    defaultRoute,
    bodyBytesMax: values.bytes('server.maxPayload'),
    socketTimeoutMs: values.milliseconds('server.socketTimeout'),
    keepAliveMs: values.milliseconds('server.keepaliveTimeout'),
    shutdownMs: values.milliseconds('server.shutdownTimeout'),
    isCompressed: values.boolean('server.compression.enabled')!,
    customHeaders: values.headers('server.customResponseHeaders'),
    xsrfAllowlist: values.list('server.xsrf.allowlist'),
    isEmbeddable: !values.boolean('server.securityResponseHeaders.disableEmbedding')!,
    safety: safetyValues(values),
    policy: {
      img: policySources(values, 'csp.img_src'),
      connect: policySources(values, 'csp.connect_src'),
      frames: policySources(values, 'csp.frame_ancestors'),
    },
    allowedHosts: values.list('shoal.dashboard.allowed_hosts'),
  };
}

function safetyValues(values: SettingValues): SafetyValues {
  const of = (name: string): string | null => {
    const value = values.text(`server.securityResponseHeaders.${name}`);
    if (value !== null && !/^[\x20-\x7e]*$/.test(value))
      throw new DashboardSettingsError(`[server.securityResponseHeaders.${name}] is no value of a header`);
    return value;
  };
  return {
    transport: of('strictTransportSecurity'),
    contentTypes: of('xContentTypeOptions')!,
    referrers: of('referrerPolicy')!,
    permissions: of('permissionsPolicy')!,
    openers: of('crossOriginOpenerPolicy')!,
  };
}

function publicBaseUrl(text: string | null, basePath: string): string | null {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname.replace(/\/$/, '') !== basePath)
    throw new DashboardSettingsError(
      `[server.publicBaseUrl] must be an address that ends with [server.basePath] (${basePath || 'none'}) ` +
        `but was [${text}]`,
    );
  return text.replace(/\/$/, '');
}

function policySources(values: SettingValues, name: string): readonly string[] {
  const sources = values.list(name);
  const refused = sources.find((one) => !/^[\w:/.*-]+$/.test(one) && one !== "'self'");
  if (refused === undefined) return sources;
  throw new DashboardSettingsError(`[${name}] takes hosts and schemes but was given [${refused}]`);
}

function clusterSettings(values: SettingValues): DashboardSettings['cluster'] {
  const hosts = values.urls('elasticsearch.hosts');
  if (hosts.length === 0) throw new DashboardSettingsError('[elasticsearch.hosts] must name a node of the cluster');
  const forwardedHeaders = values.list('elasticsearch.requestHeadersWhitelist').map((name) => name.toLowerCase());
  const refused = forwardedHeaders.find((name) => CREDENTIAL_HEADERS.has(name));
  if (refused !== undefined && refused !== 'authorization')
    throw new DashboardSettingsError(`[elasticsearch.requestHeadersWhitelist] does not take [${refused}]`);
  const [username, password] = [values.text('elasticsearch.username'), values.text('elasticsearch.password')];
  return {
    hosts,
    username,
    password,
    authorization: authorizationOf(username, password, values.text('elasticsearch.serviceAccountToken')),
    requestTimeoutMs: values.milliseconds('elasticsearch.requestTimeout'),
    pingTimeoutMs: values.milliseconds('elasticsearch.pingTimeout'),
    // Kibana's default list is `authorization`, which here never comes from a browser.
    forwardedHeaders: forwardedHeaders.filter((name) => name !== 'authorization'),
    customHeaders: values.headers('elasticsearch.customHeaders'),
    verification: values.text('elasticsearch.ssl.verificationMode') as 'full' | 'certificate' | 'none',
    tls: tlsSettings(values, 'elasticsearch.ssl'),
    isCertificateForUsers: values.boolean('elasticsearch.ssl.alwaysPresentCertificate')!,
  };
}

function authorizationOf(username: string | null, password: string | null, token: string | null): string | null {
  if (username === 'elastic')
    throw new DashboardSettingsError(
      '[elasticsearch.username] must not be [elastic]: that user may do everything, and not write to the indices of ' +
        'the dashboard; use [kibana_system]',
    );
  if (token !== null && username !== null)
    throw new DashboardSettingsError(
      'either [elasticsearch.serviceAccountToken] or [elasticsearch.username] can be set, not both',
    );
  if (token !== null) return `Bearer ${token}`;
  if (username === null && password === null) return null;
  if (username === null || password === null)
    throw new DashboardSettingsError('[elasticsearch.username] and [elasticsearch.password] need each other');
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function sessionSettings(values: SettingValues, hasTls: boolean): DashboardSettings['sessions'] {
  const encryptionKey = values.text('xpack.security.encryptionKey');
  if (encryptionKey !== null && encryptionKey.length < KEY_CHARACTERS_MIN)
    throw new DashboardSettingsError(
      `[xpack.security.encryptionKey] must have at least ${KEY_CHARACTERS_MIN} characters ` +
        `but has ${encryptionKey.length}`,
    );
  const cookieName = values.text('xpack.security.cookieName')!;
  if (!/^[\w.-]+$/.test(cookieName))
    throw new DashboardSettingsError(`[xpack.security.cookieName] is no name of a cookie: [${cookieName}]`);
  return {
    encryptionKey,
    cookieName,
    isCookieSecure: values.boolean('xpack.security.secureCookies') ?? hasTls,
    sameSite: values.text('xpack.security.sameSiteCookies')!,
    idleMs: values.milliseconds('xpack.security.session.idleTimeout'),
    lifespanMs: values.milliseconds('xpack.security.session.lifespan'),
    ofUserMax: values.integer('xpack.security.session.concurrentSessions.maxSessions'),
    max: values.integer('shoal.dashboard.sessions_max')!,
  };
}
