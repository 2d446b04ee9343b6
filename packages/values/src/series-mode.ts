/**
 * Private setting of an index of time series whose documents are routed by their dimensions. Earlier versions took
 * `index.mode: time_series` and routed by id; their indices do not have it, and go on as they were made.
 */
export const SERIES_ROUTING = 'index.shoal.series_routing';

/**
 * Whether flat settings are those of an index of time series, of one to be created or of one that is there. Only an
 * index that is there knows the version that it was created with.
 */
export function isSeriesMode(settings: Readonly<Record<string, unknown>>): boolean {
  if (String(settings['index.mode']).toLowerCase() !== 'time_series') return false;
  return settings['index.version.created'] === undefined || settings[SERIES_ROUTING] !== undefined;
}
