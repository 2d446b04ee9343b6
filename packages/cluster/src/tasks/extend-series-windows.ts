import {
  clusterSetting,
  type ClusterState,
  dataStreams,
  type IndexMetadata,
  isTimeSeries,
  timeWindow,
} from '@shoal/state';
import { parseTimeValue } from '@shoal/values';
import { withIndices } from '../metadata/edit-state.js';
import { boundText, lookAheadMs } from '../metadata/series-window.js';
import { ACKNOWLEDGED, defineTask } from './task.js';

const POLL = 'time_series.poll_interval';
const END = 'index.time_series.end_time';

/** Returns the interval in which windows are extended, in milliseconds. */
export const seriesPollMs = (state: ClusterState): number => parseTimeValue(String(clusterSetting(state, POLL)), POLL);

function extended(meta: IndexMetadata, untilMs: number): IndexMetadata[] {
  const end = boundText(untilMs);
  if (Date.parse(end) <= timeWindow(meta.settings).endMs) return [];
  return [
    {
      ...meta,
      settings: { ...meta.settings, [END]: end },
      version: meta.version + 1,
      settingsVersion: meta.settingsVersion + 1,
    },
  ];
}

/** Returns the write indices of data streams whose window must reach further by now, with their new windows. */
export function extendedWindows(state: ClusterState, nowMs: number): IndexMetadata[] {
  const pollMs = seriesPollMs(state);
  return dataStreams(state).flatMap((stream) => {
    const meta = state.indices.get(stream.indices.at(-1) ?? '');
    if (!meta || !isTimeSeries(meta) || meta.settings[END] === undefined) return [];
    return extended(meta, nowMs + lookAheadMs(meta.settings) + pollMs);
  });
}

/** Moves the ends of the windows of write indices of time series on, so that they take what is written meanwhile. */
export const extendSeriesWindows = defineTask<Readonly<Record<string, never>>>({
  name: 'extend-series-windows',
  priority: 'URGENT',
  source: () => 'update_tsdb_data_stream_end_times',
  apply(state, _body, { nowMs }) {
    const metas = extendedWindows(state, nowMs);
    return { state: metas.length === 0 ? state : withIndices(state, metas), answer: ACKNOWLEDGED };
  },
});
