import type { ClusterService } from '@shoal/cluster';
import type { Coordinator, SnapshotService, TaskRegistry } from '@shoal/coordinator';
import type { Clock, Log, Random } from '@shoal/doors';
import type { Security } from '@shoal/security';
import type { KnownCertificate } from './http/certificate-expiry.js';
import type { HttpStats } from './http/http-stats.js';

/** What the node knows of itself and the cluster state does not say. */
export interface NodeFacts {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970 of the process's start. */
  readonly startedAtMs: number;
  /** Node settings, flat: `path.data`, `http.port` … */
  readonly settings: Readonly<Record<string, string | readonly string[]>>;
  /**
   * Own data of the process and its machine for `_nodes`, `_nodes/stats` and `_cat/nodes`: sections `os`, `process`,
   * `jvm`, `fs`, `thread_pool`, `transport` … as the API shows them. `settings` are flat.
   */
  info(): Readonly<Record<string, unknown>>;
  stats(): Promise<Readonly<Record<string, unknown>>>;
  /** The node's metrics in Prometheus' text format. */
  metrics(): Promise<string>;
}

/**
 * Certificates that the nodes of a cluster share when they were set up by themselves: DER in base64, keys as PKCS#8.
 */
export interface EnrollmentSecrets {
  readonly httpAuthority: string;
  readonly httpAuthorityKey: string;
  readonly transportAuthority: string;
  readonly transport: string;
  readonly transportKey: string;
}

/** Everything that handlers work with. */
export interface Services {
  readonly coordinator: Coordinator;
  readonly cluster: ClusterService;
  readonly node: NodeFacts;
  /** Requests running on this node. */
  readonly tasks: TaskRegistry;
  readonly snapshots: SnapshotService;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Counters of the HTTP server, for `_nodes/stats/http` and `_info/http`. */
  readonly http: HttpStats;
  /** Certificates that this node works with, as `GET /_ssl/certificates` shows them. */
  readonly certificates: () => Promise<readonly KnownCertificate[]>;
  /** What nodes and Kibana are enrolled with; null where that is off. */
  readonly enrollment: () => EnrollmentSecrets | null;
  /** Null while security is off. */
  readonly security: Security | null;
}
