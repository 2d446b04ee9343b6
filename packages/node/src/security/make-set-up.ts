import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import path from 'node:path';
import { type IssuedCertificate, issueCertificate, makeAuthority } from '../certificates/make-certificate.js';
import { writeFileWhole } from '../cli/command-io.js';
import { FIRST_START_FILE, SET_UP_FILES } from './set-up-files.js';

/**
 * Validity of certificates in days, as in Elasticsearch's own set-up: transport 99 years, HTTP authority 3 years, HTTP
 * 2 years.
 */
const DAYS = { transport: 99 * 365, httpAuthority: 3 * 365, http: 2 * 365 };

/** Facts about the node for which certificates are made. */
export interface SetUpFacts {
  readonly nodeName: string;
  /** Addresses to which HTTP is bound. */
  readonly bound: readonly string[];
  /** Whether the node is a single-node cluster that no other node may join. */
  readonly isAlone: boolean;
}

/** Secrets that a node of the cluster gives to a joining node. */
export interface SharedSecrets {
  readonly httpAuthority: IssuedCertificate;
  /** Key and certificate of the transport, shared by all nodes of the cluster, signed by their authority. */
  readonly transport: IssuedCertificate;
  readonly transportAuthority: string;
  readonly seedHosts: readonly string[];
}

/** Writes authorities, certificates and `first-start.json`; returns the settings that use them. */
export function makeSetUp(confFolder: string, facts: SetUpFacts): ReadonlyMap<string, string> {
  const nowMs = Date.now();
  const httpAuthority = makeAuthority({ name: 'Shoal HTTP CA', hosts: [], days: DAYS.httpAuthority, nowMs });
  const linkAuthority = makeAuthority({ name: 'Shoal transport CA', hosts: [], days: DAYS.transport, nowMs });
  // The authority's key is not kept: all nodes share one certificate, so nothing is ever signed again.
  const transport = issueCertificate(
    linkAuthority,
    { name: facts.nodeName, hosts: [], days: DAYS.transport, nowMs },
    'link',
  );
  const shared = { httpAuthority, transport, transportAuthority: linkAuthority.certificate, seedHosts: [] };
  return writeSetUp(confFolder, facts, shared);
}

/**
 * Writes certificates and settings of a node in a cluster with these secrets. The node gets its own HTTP certificate.
 */
export function writeSetUp(
  confFolder: string,
  { nodeName, bound, isAlone }: SetUpFacts,
  { httpAuthority, transport, transportAuthority, seedHosts }: SharedSecrets,
): ReadonlyMap<string, string> {
  const http = issueCertificate(
    httpAuthority,
    { name: nodeName, hosts: hostsOf(bound), days: DAYS.http, nowMs: Date.now() },
    'http',
  );
  const write = (file: string, content: string, mode?: number): void =>
    writeFileWhole(path.join(confFolder, file), content, mode);
  write(SET_UP_FILES.httpAuthority, httpAuthority.certificate, 0o644);
  write(SET_UP_FILES.httpAuthorityKey, httpAuthority.key);
  write(SET_UP_FILES.http, http.certificate + httpAuthority.certificate, 0o644);
  write(SET_UP_FILES.httpKey, http.key);
  write(SET_UP_FILES.transportAuthority, transportAuthority, 0o644);
  write(SET_UP_FILES.transport, transport.certificate, 0o644);
  write(SET_UP_FILES.transportKey, transport.key);
  const formation: [string, string][] = isAlone
    ? []
    : seedHosts.length > 0
      ? [['discovery.seed_hosts', seedHosts.join(',')]]
      : [['cluster.initial_master_nodes', nodeName]];
  const settings = new Map([...settingsOfFiles(), ...formation]);
  write(FIRST_START_FILE, `${JSON.stringify({ settings: Object.fromEntries(settings) }, null, 2)}\n`);
  return settings;
}

function settingsOfFiles(): [string, string][] {
  const ssl = (layer: string, values: Record<string, string>): [string, string][] =>
    Object.entries(values).map(([name, value]) => [`xpack.security.${layer}.ssl.${name}`, value]);
  return [
    ['xpack.security.enabled', 'true'],
    ['xpack.security.enrollment.enabled', 'true'],
    ...ssl('http', { enabled: 'true', key: SET_UP_FILES.httpKey, certificate: SET_UP_FILES.http }),
    ...ssl('transport', {
      enabled: 'true',
      verification_mode: 'certificate',
      key: SET_UP_FILES.transportKey,
      certificate: SET_UP_FILES.transport,
      certificate_authorities: SET_UP_FILES.transportAuthority,
    }),
  ];
}

/** Returns every host name and address of this machine. */
function hostsOf(bound: readonly string[]): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) =>
    (entries ?? []).map(({ address }) => address.replace(/%.*$/, '')),
  );
  const named = bound.filter((address) => address !== '0.0.0.0' && address !== '::');
  return [...new Set(['localhost', hostname(), '127.0.0.1', '::1', ...named, ...addresses])];
}

/** Returns the SHA-256 of the HTTP authority, 64 hexadecimal digits, as clients and enrolment tokens use it. */
export function authorityFingerprint(confFolder: string): string {
  return new X509Certificate(fs.readFileSync(path.join(confFolder, SET_UP_FILES.httpAuthority))).fingerprint256
    .replaceAll(':', '')
    .toLowerCase();
}
