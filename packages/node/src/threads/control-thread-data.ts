import type { FlatSettings, NodeInfo } from '@shoal/state';
import type { ConsensusSettings } from '@shoal/consensus';
import type { LinkSecurity } from '../links/link-security.js';

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
