/**
 * Private setting of an index of time series whose documents are routed by their dimensions. Earlier versions took
 * `index.mode: time_series` and routed by id; their indices do not have it, and go on as they were made.
 */
export const SERIES_ROUTING = 'index.shoal.series_routing';

/** Private setting of an index that was made by downsampling, which no version does that routes by id. */
const DOWNSAMPLED = 'index.downsample.status';

/**
 * Whether the settings of an index that is there tell that its documents are routed by their dimensions. A window
 * (`index.time_series.start_time`) tells nothing: versions that routed by id took it from whoever created the index.
 */
export function hasSeriesRouting(settings: Readonly<Record<string, unknown>>): boolean {
  return settings[SERIES_ROUTING] !== undefined || settings[DOWNSAMPLED] !== undefined;
}

/**
 * Whether flat settings are those of an index of time series, of one to be created or of one that is there. Only an
 * index that is there knows the version that it was created with.
 */
export function isSeriesMode(settings: Readonly<Record<string, unknown>>): boolean {
  if (String(settings['index.mode']).toLowerCase() !== 'time_series') return false;
  return settings['index.version.created'] === undefined || hasSeriesRouting(settings);
}
