import type { ClusterState } from '@shoal/state';
import type { Clock, Log } from '@shoal/doors';
import type { KnownCertificate } from '@shoal/rest';
import { type AuditTrail, deriveByScrypt, type DeriveKey, type FilteredConnection } from '@shoal/security';
import type { SecureSettings } from '../keystore/secure-settings.js';
import type { LinkSecurity, MembershipProof, RulingListener } from '../links/link-security.js';
import { bindAddresses } from '../http/listen.js';
import { clusterFormation } from '../settings/cluster-formation.js';
import type { NodeSettings } from '../settings/load-settings.js';
import type { SslLayer } from '../settings/ssl-setting-rows.js';
import type { LayerTls } from '../tls/node-tls.js';
import { checkFilterSettings, filterRules } from './filter-settings.js';
import { membershipProof, warnOfOpenLinks } from './link-membership.js';
import { type AddressFilter, createFilter, type FilterRules } from './ip-filter.js';

/** Address filters and TLS of this node, for HTTP and for links. */
export interface NodeProtection {
  readonly httpTls: LayerTls | null;
  /** Whether HTTP connections from an address are accepted. */
  acceptsHttp: AddressFilter;
  linkSecurity(): LinkSecurity;
  /** Called by transports for each link that an address filter allowed or denied. */
  readonly linkRuled: RulingListener;
  /** Sets the audit trail that gets all further decisions of the filters. */
  audit(trail: AuditTrail): void;
  /** Returns the certificates in use, for `GET /_ssl/certificates`. */
  certificates(): Promise<readonly KnownCertificate[]>;
  onLinkChange(listener: (security: LinkSecurity) => void): void;
  /** Sets the filters of an applied state. */
  follow(state: ClusterState): void;
  /**
   * Reads keys and certificates again, after the keystore changed. Throws ConfigurationError if they cannot be used.
   */
  reload(): void;
  close(): void;
}

/** Settings and effects from which filters and TLS are made. */
export interface ProtectionOptions {
  readonly settings: NodeSettings;
  readonly secure: SecureSettings;
  readonly confFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Stretches the secret of the cluster into a key; scrypt by default. */
  readonly deriveKey?: DeriveKey;
}

/**
 * Reads the certificates and filters of the settings. Throws ConfigurationError. Loads the TLS code only if it is used.
 */
export async function protectNode(options: ProtectionOptions): Promise<NodeProtection> {
  const { settings } = options;
  const nodeSettings = Object.fromEntries(settings.explicit);
  checkFilterSettings(nodeSettings);
  const open = async (layer: SslLayer): Promise<LayerTls | null> =>
    settings.boolean(`xpack.security.${layer}.ssl.enabled`)
      ? (await import('../tls/node-tls.js')).openLayerTls(layer, options)
      : null;
  const httpTls = await open('http');
  const { linkTls, proof } = await openLinks(options, open);
  const layers = [httpTls, linkTls].filter((layer) => layer !== null);
  const expiry = layers.length === 0 ? null : (await import('../tls/watch-expiry.js')).watchExpiry(layers, options);
  const listeners: ((security: LinkSecurity) => void)[] = [];
  const rulesOf = (layer: SslLayer, state: ClusterState | null): FilterRules =>
    filterRules(layer, state ?? NO_STATE, nodeSettings, bindAddresses(settings, layer));
  let linkRules = rulesOf('transport', null);
  let httpRules = rulesOf('http', null);
  let trail: AuditTrail | null = null;
  const ruled =
    (profile: FilteredConnection['profile']): RulingListener =>
    (address, ruling) =>
      trail?.record({
        layer: 'ip_filter',
        action: ruling.isAllowed ? 'connection_granted' : 'connection_denied',
        authentication: null,
        origin: null,
        connection: { address, profile, ...ruling },
      });
  const [httpRuled, linkRuled] = [ruled('.http'), ruled('default')];
  let accepts = createFilter(httpRules, httpRuled);
  const linkSecurity = (): LinkSecurity => ({
    tls: linkTls === null ? null : { ...tlsOf(linkTls), material: linkTls.material() },
    filter: linkRules,
    proof,
  });
  const tell = (): void => listeners.forEach((listener) => listener(linkSecurity()));
  linkTls?.onChange(tell);
  let followed: readonly unknown[] = [];
  return {
    httpTls,
    acceptsHttp: (remoteAddress) => accepts(remoteAddress),
    linkSecurity,
    linkRuled,
    audit: (wanted) => void (trail = wanted),
    async certificates() {
      if (layers.length === 0) return [];
      const { loadedCertificates } = await import('../tls/loaded-certificates.js');
      return layers.flatMap(loadedCertificates);
    },
    onLinkChange: (listener) => void listeners.push(listener),
    follow(state) {
      if (followed[0] === state.persistentSettings && followed[1] === state.transientSettings) return;
      followed = [state.persistentSettings, state.transientSettings];
      const [newHttp, newLinks] = [rulesOf('http', state), rulesOf('transport', state)];
      if (!isSame(newHttp, httpRules)) accepts = createFilter((httpRules = newHttp), httpRuled);
      if (isSame(newLinks, linkRules)) return;
      linkRules = newLinks;
      tell();
    },
    reload() {
      httpTls?.reload();
      linkTls?.reload();
    },
    close() {
      expiry?.close();
      httpTls?.close();
      linkTls?.close();
    },
  };
}

/** Empty state: before the first state only the node's own settings count. */
const NO_STATE = { persistentSettings: {}, transientSettings: {} } as ClusterState;

/** A node without links proves nothing to anybody. */
const NO_PROOF: MembershipProof = { isSecured: false, key: null, admitsEarlier: true };

/** Opens TLS of links and makes the proof of this node; logs what remains open. */
async function openLinks(
  { settings, secure, log, deriveKey = deriveByScrypt }: ProtectionOptions,
  open: (layer: SslLayer) => Promise<LayerTls | null>,
): Promise<{ linkTls: LayerTls | null; proof: MembershipProof }> {
  if (clusterFormation(settings) === null) return { linkTls: null, proof: NO_PROOF };
  const linkTls = await open('transport');
  const proof = await membershipProof(settings, secure, linkTls, deriveKey);
  warnOfOpenLinks(proof, linkTls, log);
  return { linkTls, proof };
}

const isSame = (a: FilterRules, b: FilterRules): boolean => JSON.stringify(a) === JSON.stringify(b);

function tlsOf({
  settings: { clientAuthentication, verificationMode, minVersion, maxVersion, ciphers },
}: LayerTls): Omit<NonNullable<LinkSecurity['tls']>, 'material'> {
  return { clientAuthentication, verificationMode, minVersion, maxVersion, ciphers };
}
