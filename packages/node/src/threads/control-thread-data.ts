import type { FlatSettings, NodeInfo } from '@shoal/state';
import type { ConsensusSettings } from '@shoal/consensus';
import type { LinkSecurity } from '../links/link-security.js';
import type { Ruling } from '../security/ip-filter.js';

/** What the control thread is started with (`workerData`). */
export interface ControlThreadData {
  /** Without its transport address: the thread binds that itself. */
  readonly localNode: NodeInfo;
  readonly clusterName: string;
  readonly dataPath: string;
  /** Of the configuration file, flat. */
  readonly nodeSettings: FlatSettings;
  readonly initialMasterNodes: readonly string[];
  readonly consensusSettings: ConsensusSettings;
  readonly bind: { readonly host: string; readonly port: string };
  readonly publishHost: string;
  /** At the start; changes are told by `control/protect`. */
  readonly linkSecurity: LinkSecurity;
  /** Whether the main thread wants to hear of links that a filter looked at. */
  readonly tellsRulings: boolean;
  /** `[beats of the main thread, whether the disk is not well]`, see node-pulse.ts. */
  readonly pulse: SharedArrayBuffer;
}

/** What the thread tells first. */
export interface ControlReady {
  readonly transportAddress: string;
}

/** A control link that a filter looked at, as told to the main thread. */
export interface LinkRuling {
  readonly address: string;
  readonly ruling: Ruling;
}

/** Leader that the node follows, as told to the main thread. */
export interface LeaderChange {
  readonly leaderId: string | null;
}

export interface SubmitMessage {
  readonly task: string;
  readonly body: unknown;
  readonly options: { readonly timeoutMs?: number; readonly masterTimeoutMs?: number };
}
