import type { FlatSettings, NodeInfo } from '@shoal/state';
import type { ConsensusSettings } from '@shoal/consensus';
import type { LinkSecurity } from '../links/link-security.js';
import type { Ruling } from '../security/ip-filter.js';

/** Start data of the control thread (`workerData`). */
export interface ControlThreadData {
  /** This node without its transport address, which the thread binds itself. */
  readonly localNode: NodeInfo;
  readonly clusterName: string;
  readonly dataPath: string;
  /** Settings of the configuration, flat. */
  readonly nodeSettings: FlatSettings;
  readonly initialMasterNodes: readonly string[];
  readonly consensusSettings: ConsensusSettings;
  readonly bind: { readonly host: string; readonly port: string };
  readonly publishHost: string;
  /** Protection of links at the start; `control/protect` sends changes. */
  readonly linkSecurity: LinkSecurity;
  /** Whether the control thread reports the decisions of address filters to the main thread. */
  readonly reportsRulings: boolean;
  /** `[beats of the main thread, whether the disk is not well]`, see node-pulse.ts. */
  readonly pulse: SharedArrayBuffer;
}

/** First message of the thread. */
export interface ControlReady {
  readonly transportAddress: string;
}

/** Decision of an address filter about a control link, sent to the main thread. */
export interface LinkRuling {
  readonly address: string;
  readonly ruling: Ruling;
}

/** Leader that the node follows, sent to the main thread. */
export interface LeaderChange {
  readonly leaderId: string | null;
}

export interface SubmitMessage {
  readonly task: string;
  readonly body: unknown;
  readonly options: { readonly timeoutMs?: number; readonly masterTimeoutMs?: number };
}
