import type { ClusterService } from '@shoal/cluster';
import type { Coordinator, RemoteHttp } from '@shoal/coordinator';
import type { Clock, Log, Random } from '@shoal/doors';
import type { Authentication, Subject } from '@shoal/security';
import type { CheckpointStore } from './checkpoint/checkpoint-store.js';
import type { MlDocuments } from './documents/ml-documents.js';
import type { ModelRoom } from './jobs/job-room.js';

/** What machine learning uses of its node. */
export interface MlDoors {
  readonly cluster: ClusterService;
  readonly coordinator: Coordinator;
  readonly documents: MlDocuments;
  readonly checkpoints: CheckpointStore;
  /** Runs models, on a thread of its own where the node has one. */
  readonly room: ModelRoom;
  /** Runs analyses, apart from models that data waits for. */
  readonly analysisRoom: ModelRoom;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly nodeId: string;
  readonly nodeName: string;
  /** Bytes that models may have on this node. */
  readonly modelBytes: number;
  /** Calls webhooks of alerts: those of `webhookHosts` alone, patterns `host:port` with `*`. */
  readonly remoteHttp: RemoteHttp;
  readonly webhookHosts: readonly string[];
  /**
   * Who somebody is now that made a datafeed or an analysis, `what`; everybody without security. Throws
   * security_exception if security is on and was off when it was made: it would run with all rights.
   */
  subjectOf(authentication: Authentication | null, what: string): Subject;
}
