import { type ClusterService, extendedWindows, seriesPollMs } from '@shoal/cluster';
import type { Clock, Log } from '@shoal/doors';
import { MasterPoll } from '../master-poll.js';

/** What the runner needs of its node. */
export interface SeriesWindowDoors {
  readonly cluster: ClusterService;
  readonly nodeId: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Makes the poll that keeps the windows of time series open for the documents of the next minutes. */
export function seriesWindowPoll(doors: SeriesWindowDoors): MasterPoll {
  const { cluster, clock } = doors;
  return new MasterPoll({
    ...doors,
    what: 'extending the windows of time series',
    waitMs: seriesPollMs,
    isNews: (known, next) =>
      known.customs.get('dataStreams') !== next.customs.get('dataStreams') ||
      seriesPollMs(known) !== seriesPollMs(next),
    look: async (state) => {
      if (extendedWindows(state, clock.now()).length > 0) await cluster.submit('extend-series-windows', {});
    },
  });
}
