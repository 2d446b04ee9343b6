/** Type of a setting: decides how its text is parsed. */
type SettingKind = 'text' | 'list' | 'boolean' | 'integer' | 'time' | 'bytes' | 'port' | 'urls' | 'headers';

/** A setting of the dashboard's configuration. Names are Kibana's. */
export interface DashboardSetting {
  /** A name, or a prefix that ends in `.*` for groups such as `telemetry.*`. */
  readonly name: string;
  readonly kind: SettingKind;
  /** Default as text; null if there is none. */
  readonly fallback: string | null;
  readonly description: string;
  /** Accepted values; all others are refused. */
  readonly values?: readonly string[];
  readonly isSecret?: boolean;
  /** Accepted, so that configurations of Kibana start, and without effect. */
  readonly isIgnored?: boolean;
}

const row = (
  name: string,
  kind: SettingKind,
  fallback: string | null,
  description: string,
  more: Partial<DashboardSetting> = {},
): DashboardSetting => ({ name, kind, fallback, description, ...more });

const SERVER: readonly DashboardSetting[] = [
  row('server.host', 'text', 'localhost', 'Address or host name to listen on; `0.0.0.0` for all.'),
  row('server.port', 'port', '5601', 'Port to listen on; 0 takes any free one.'),
  row(
    'server.basePath',
    'text',
    '',
    'Path below which a proxy shows the dashboard, such as `/kibana`: it begins with `/` and does not end with one. ' +
      'All addresses that leave begin with it.',
  ),
  row(
    'server.rewriteBasePath',
    'boolean',
    'false',
    'Whether requests arrive with `server.basePath`. `false`: the proxy strips it. Needs `server.basePath`.',
  ),
  row('server.publicBaseUrl', 'text', null, 'Address at which browsers reach the dashboard; ends with the base path.'),
  row('server.defaultRoute', 'text', '/app/home', 'Page that `/` leads to.'),
  row('server.maxPayload', 'bytes', '1mb', "Largest body of the dashboard's own calls; beyond it the answer is 413."),
  row('server.socketTimeout', 'time', '120s', 'How long a connection may be silent within a request.'),
  row('server.keepaliveTimeout', 'time', '120s', 'How long a connection is kept open between requests.'),
  row('server.shutdownTimeout', 'time', '30s', 'How long requests may take to end once the process was told to stop.'),
  row(
    'server.compression.enabled',
    'boolean',
    'true',
    'Whether compressed files are served to browsers that take them.',
  ),
  row('server.customResponseHeaders', 'headers', '{}', 'Headers added to every answer, as a JSON object.'),
  row('server.xsrf.allowlist', 'list', '', 'Paths whose calls need no header `kbn-xsrf`.'),
  row(
    'server.securityResponseHeaders.disableEmbedding',
    'boolean',
    'true',
    'Whether pages refuse to be shown inside pages of other origins.',
  ),
  row(
    'server.securityResponseHeaders.strictTransportSecurity',
    'text',
    null,
    'Value of `Strict-Transport-Security`; `max-age=31536000` with TLS.',
  ),
  row('server.securityResponseHeaders.xContentTypeOptions', 'text', 'nosniff', 'Value of `X-Content-Type-Options`.', {
    values: ['nosniff'],
  }),
  row('server.securityResponseHeaders.referrerPolicy', 'text', 'same-origin', 'Value of `Referrer-Policy`.', {
    values: [
      ...['no-referrer', 'no-referrer-when-downgrade', 'origin', 'origin-when-cross-origin', 'same-origin'],
      ...['strict-origin', 'strict-origin-when-cross-origin', 'unsafe-url'],
    ],
  }),
  row(
    'server.securityResponseHeaders.permissionsPolicy',
    'text',
    'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
    'Value of `Permissions-Policy`.',
  ),
  row(
    'server.securityResponseHeaders.crossOriginOpenerPolicy',
    'text',
    'same-origin',
    'Value of `Cross-Origin-Opener-Policy`.',
    { values: ['same-origin', 'same-origin-allow-popups', 'unsafe-none'] },
  ),
  row('server.ssl.enabled', 'boolean', 'false', 'HTTPS for browsers.'),
  row('server.ssl.certificate', 'text', null, 'PEM file of the certificate; a changed file is read again.'),
  row('server.ssl.key', 'text', null, 'PEM file of its key.'),
  row('server.ssl.keyPassphrase', 'text', null, 'Passphrase of the key.', { isSecret: true }),
  row('server.ssl.keystore.path', 'text', null, 'PKCS#12 file of certificate and key, in place of the PEM files.'),
  row('server.ssl.keystore.password', 'text', null, 'Its password.', { isSecret: true }),
  row('server.ssl.certificateAuthorities', 'list', '', 'PEM files of the authorities that browsers are checked by.'),
  row('server.ssl.truststore.path', 'text', null, 'PKCS#12 file of such authorities.'),
  row('server.ssl.truststore.password', 'text', null, 'Its password.', { isSecret: true }),
  row(
    'server.ssl.clientAuthentication',
    'text',
    'none',
    'Whether browsers are asked for a certificate, or must show one.',
    {
      values: ['none', 'optional', 'required'],
    },
  ),
  row('server.ssl.supportedProtocols', 'list', 'TLSv1.2,TLSv1.3', 'Versions of TLS, without a gap.'),
  row('server.ssl.cipherSuites', 'list', '', 'OpenSSL names of ciphers; those of the crypto library when empty.'),
  row('server.ssl.redirectHttpFromPort', 'port', null, 'Port at which plain HTTP is led to HTTPS.'),
  row('csp.img_src', 'list', '', 'Sources added to `img-src` of the content policy.'),
  row('csp.connect_src', 'list', '', 'Sources added to `connect-src` of the content policy.'),
  row('csp.frame_ancestors', 'list', '', 'Sources that may embed pages, with `disableEmbedding: false`.'),
];

const ELASTICSEARCH: readonly DashboardSetting[] = [
  row(
    'elasticsearch.hosts',
    'urls',
    'http://localhost:9200',
    'Nodes of the cluster: a URL, a list with commas or a JSON array. The next one is asked when one does not answer.',
  ),
  row('elasticsearch.username', 'text', null, "The dashboard's own user, as a rule `kibana_system`; never `elastic`."),
  row('elasticsearch.password', 'text', null, 'Its password; `ELASTICSEARCH_PASSWORD_FILE` names a file that has it.', {
    isSecret: true,
  }),
  row('elasticsearch.serviceAccountToken', 'text', null, 'Token of `elastic/kibana` in place of name and password.', {
    isSecret: true,
  }),
  row('elasticsearch.requestTimeout', 'time', '30s', 'How long the cluster may take to begin an answer.'),
  row('elasticsearch.pingTimeout', 'time', '3s', 'How long the cluster may take to say that it is there.'),
  row(
    'elasticsearch.requestHeadersWhitelist',
    'list',
    '',
    'Headers of browsers that are handed on to the cluster, besides those of the content. Credentials never are.',
  ),
  row('elasticsearch.customHeaders', 'headers', '{}', 'Headers added to every call to the cluster, as a JSON object.'),
  row(
    'elasticsearch.ssl.certificateAuthorities',
    'list',
    '',
    'PEM files of the authorities that the cluster is checked by; those of the system when empty. Changed files of ' +
      '`elasticsearch.ssl.*` are read again.',
  ),
  row(
    'elasticsearch.ssl.verificationMode',
    'text',
    'full',
    "What is checked of the cluster's certificate: all (`full`), not the host name (`certificate`), nothing (`none`).",
    { values: ['full', 'certificate', 'none'] },
  ),
  row('elasticsearch.ssl.certificate', 'text', null, 'PEM file of a certificate that is shown to the cluster.'),
  row('elasticsearch.ssl.key', 'text', null, 'PEM file of its key.'),
  row('elasticsearch.ssl.keyPassphrase', 'text', null, 'Passphrase of the key.', { isSecret: true }),
  row(
    'elasticsearch.ssl.keystore.path',
    'text',
    null,
    'PKCS#12 file of certificate and key, in place of the PEM files.',
  ),
  row('elasticsearch.ssl.keystore.password', 'text', null, 'Its password.', { isSecret: true }),
  row(
    'elasticsearch.ssl.alwaysPresentCertificate',
    'boolean',
    'false',
    "Whether that certificate is shown for calls of users, too; `false`: only for the dashboard's own.",
  ),
  row('elasticsearch.ssl.truststore.path', 'text', null, 'PKCS#12 file of authorities that the cluster is checked by.'),
  row('elasticsearch.ssl.truststore.password', 'text', null, 'Its password.', { isSecret: true }),
];

const SECURITY: readonly DashboardSetting[] = [
  row(
    'xpack.security.encryptionKey',
    'text',
    null,
    'Seals the credentials of sessions, which then outlive a restart and hold for all dashboards with the key; 32 ' +
      'characters at least. Without it a key is made at each start.',
    { isSecret: true },
  ),
  row('xpack.security.cookieName', 'text', 'sid', 'Name of the session cookie.'),
  row(
    'xpack.security.secureCookies',
    'boolean',
    null,
    'Whether browsers send the cookie over HTTPS alone; true with TLS.',
  ),
  row('xpack.security.sameSiteCookies', 'text', 'Lax', 'SameSite attribute of the cookie.', {
    values: ['Lax', 'Strict'],
  }),
  row('xpack.security.session.idleTimeout', 'time', '3d', 'A session ends after so long without a call.'),
  row('xpack.security.session.lifespan', 'time', '30d', 'A session ends so long after the login.'),
  row(
    'xpack.security.session.concurrentSessions.maxSessions',
    'integer',
    null,
    'Sessions that a user may have at once; the oldest ends.',
  ),
];

const OTHERS: readonly DashboardSetting[] = [
  row('logging.root.level', 'text', 'info', 'Lines of the log from this severity on.', {
    values: ['debug', 'info', 'warn', 'error'],
  }),
  row('status.allowAnonymous', 'boolean', 'false', 'Whether `/api/status` tells all without a session.'),
  row(
    'shoal.dashboard.setup',
    'boolean',
    'true',
    'Whether the page "Not ready yet" offers to set the password of `kibana_system`.',
  ),
  row(
    'xpack.reporting.csv.escapeFormulaValues',
    'boolean',
    'true',
    'Whether cells of a CSV that a spreadsheet would take for a formula begin with an apostrophe.',
  ),
  row('shoal.dashboard.export_rows_max', 'integer', '10000000', 'Documents of one export at most.'),
  row('shoal.dashboard.sessions_max', 'integer', '10000', 'Sessions at once; a login beyond it gets 503.'),
  row('savedObjects.maxImportPayloadBytes', 'bytes', '26214400', 'Largest file of saved objects that is imported.'),
  row('savedObjects.maxImportExportSize', 'integer', '10000', 'Saved objects of one import or export.'),
  row(
    'shoal.dashboard.certificate_revocation_lists',
    'list',
    '',
    'PEM files of lists (CRLs) of certificates that browsers may show no more, one at least for each authority; with ' +
      '`server.ssl.clientAuthentication`. Changed files are read again.',
  ),
  row(
    'shoal.dashboard.allowed_hosts',
    'list',
    '',
    'Names of hosts, besides its own, that are answered for while the cluster has no security: `search.example.org`, ' +
      '`*.example.org` or `*`.',
  ),
];

const ignored = (name: string): DashboardSetting =>
  row(name, 'text', null, 'Accepted for compatibility with Kibana; has no effect.', { isIgnored: true });

const IGNORED: readonly DashboardSetting[] = [
  'telemetry.*',
  'newsfeed.*',
  'monitoring.ui.*',
  'xpack.encryptedSavedObjects.*',
  'xpack.reporting.*',
  'xpack.fleet.*',
  'xpack.actions.*',
  'xpack.alerting.*',
  'ops.*',
  'logging.*',
  'elasticsearch.compression',
  'elasticsearch.maxSockets',
  'elasticsearch.maxIdleSockets',
  'elasticsearch.idleSocketTimeout',
  'elasticsearch.shardTimeout',
  'elasticsearch.sniffOnStart',
  'elasticsearch.sniffInterval',
  'elasticsearch.sniffOnConnectionFault',
  'elasticsearch.logQueries',
  'elasticsearch.apiVersion',
  'elasticsearch.healthCheck.*',
  'elasticsearch.skipStartupConnectionCheck',
  'pid.*',
  'node.*',
  'migrations.*',
  'data.*',
  'map.*',
  'uiSettings.*',
  'interactiveSetup.*',
  'console.*',
  'xpack.security.audit.*',
  'xpack.security.showInsecureClusterWarning',
  'xpack.security.loginAssistanceMessage',
  'xpack.security.session.cleanupInterval',
  'xpack.security.authc.*',
  'xpack.spaces.*',
  'xpack.apm.*',
  'xpack.observability.*',
  'xpack.securitySolution.*',
  'xpack.maps.*',
  'xpack.license_management.*',
  'xpack.screenshotting.*',
  'xpack.task_manager.*',
  'security.showInsecureClusterWarning',
  'i18n.locale',
  'path.data',
  'server.name',
  'server.uuid',
].map(ignored);

/** Every setting of the dashboard with its default; docs/dashboard-settings.md is generated from this table. */
export const DASHBOARD_SETTINGS: readonly DashboardSetting[] = [
  ...SERVER,
  ...ELASTICSEARCH,
  ...SECURITY,
  ...OTHERS,
  ...IGNORED,
];
