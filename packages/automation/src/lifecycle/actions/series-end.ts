import { isTimeSeries, timeWindow } from '@shoal/state';
import { DONE, type Step, waits } from '../step.js';

/** The step that waits until an index of time series takes no more writes, before an action that replaces the index. */
export const waitForSeriesEnd = (action: string): Step => ({
  name: 'wait-until-time-series-end-passes',
  decide({ meta, nowMs }) {
    if (!isTimeSeries(meta)) return DONE;
    const { endMs } = timeWindow(meta.settings);
    if (nowMs >= endMs) return DONE;
    return waits(
      `The [index.time_series.end_time] setting for index [${meta.name}] is [${endMs}]. Waiting until the index's ` +
        `time series end time lapses before proceeding with action [${action}] as the index can still accept writes.`,
    );
  },
});
