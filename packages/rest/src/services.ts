import type { TransformService } from '@shoal/automation';
import type { ClusterService } from '@shoal/cluster';
import type { Coordinator, SnapshotService, TaskRegistry } from '@shoal/coordinator';
import type { Clock, Log, Random } from '@shoal/doors';
import type { MlService } from '@shoal/ml';
import type { Security } from '@shoal/security';
import type { KnownCertificate } from './http/certificate-expiry.js';
import type { HttpStats } from './http/http-stats.js';

/** What the node knows about itself that is not in the cluster state. */
export interface NodeFacts {
  readonly id: string;
  readonly name: string;
  /** Start of the process in milliseconds since 1970. */
  readonly startedAtMs: number;
  /** Flat node settings: `path.data`, `http.port` … */
  readonly settings: Readonly<Record<string, string | readonly string[]>>;
  /**
   * Sections about the process and its machine for `_nodes`, `_nodes/stats` and `_cat/nodes`: `os`, `process`, `jvm`,
   * `fs`, `thread_pool`, `transport` … in the form of the API. `settings` are flat.
   */
  info(): Readonly<Record<string, unknown>>;
  stats(): Promise<Readonly<Record<string, unknown>>>;
  /** Metrics of the node in Prometheus' text format. */
  metrics(): Promise<string>;
}

/** Certificates and keys that the nodes of an auto-configured cluster share: DER in base64, keys as PKCS#8. */
export interface EnrollmentSecrets {
  readonly httpAuthority: string;
  readonly httpAuthorityKey: string;
  readonly transportAuthority: string;
  readonly transport: string;
  readonly transportKey: string;
}

/** Dependencies of the handlers. */
export interface Services {
  readonly coordinator: Coordinator;
  readonly cluster: ClusterService;
  readonly node: NodeFacts;
  /** Requests that run on this node. */
  readonly tasks: TaskRegistry;
  readonly snapshots: SnapshotService;
  readonly transforms: TransformService;
  readonly ml: MlService;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Counters of the HTTP server, for `_nodes/stats/http` and `_info/http`. */
  readonly http: HttpStats;
  /** Certificates that this node uses, in the form of `GET /_ssl/certificates`. */
  readonly certificates: () => Promise<readonly KnownCertificate[]>;
  /** Secrets to enroll nodes and Kibana; null if enrollment is off. */
  readonly enrollment: () => EnrollmentSecrets | null;
  /** Null while security is off. */
  readonly security: Security | null;
}
