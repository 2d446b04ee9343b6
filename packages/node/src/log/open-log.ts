import type { ClusterService } from '@shoal/cluster';
import type { NodeSettings } from '../settings/load-settings.js';
import { createNodeLog, type NodeLog } from './node-log.js';

/** Opens the log that a node's settings ask for. */
export function openLog(settings: NodeSettings, names: { readonly node: string; readonly cluster: string }): NodeLog {
  return createNodeLog({
    nodeName: names.node,
    clusterName: names.cluster,
    settings: Object.fromEntries(settings.explicit),
    folder: settings.text('path.logs'),
    rotation: {
      fileBytesMax: settings.bytes('shoal.logs.file_size')!,
      totalBytesMax: settings.bytes('shoal.logs.total_size')!,
    },
    plain: process.stdout.isTTY === true,
  });
}

/** Makes log lines name the node and its cluster, and the cluster's settings decide about levels. */
export function followCluster(log: NodeLog, nodeId: string, cluster: ClusterService): void {
  log.follow({
    nodeId,
    clusterUuid() {
      const { clusterUuid } = cluster.state();
      return clusterUuid === '' || clusterUuid === '_na_' ? null : clusterUuid;
    },
    levels: () => cluster.state(),
  });
}
