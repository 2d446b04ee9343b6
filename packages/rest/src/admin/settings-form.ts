import { type FlatSettings, nestedSettings, type SettingValue } from '@shoal/state';
import { SERIES_ROUTING } from '@shoal/values';
import { isoTime } from '../cat/timestamps.js';
import type { RestRequest } from '../routing/route.js';

/** Adds readable forms of the settings that the cluster wrote itself (creation date, version). */
function withReadable(flat: FlatSettings): FlatSettings {
  const created = flat['index.creation_date'];
  const version = flat['index.version.created'];
  return {
    ...flat,
    ...(typeof created === 'string' ? { 'index.creation_date_string': isoTime(Number(created)) } : {}),
    ...(typeof version === 'string' ? { 'index.version.created_string': version } : {}),
  };
}

/** Returns a function that renders settings flat or nested (`flat_settings`), with readable values if `human`. */
export function settingsForm(request: RestRequest): (flat: FlatSettings) => Record<string, unknown> {
  const form = request.params.boolean('flat_settings', false) ? sortSettings : nestedSettings;
  const shown = ({ [SERIES_ROUTING]: _own, ...flat }: FlatSettings): Record<string, unknown> => form(flat);
  return request.params.boolean('human', false) ? (flat) => shown(withReadable(flat)) : shown;
}

/** Sorts settings by name, as `flat_settings` shows them. */
export function sortSettings(flat: FlatSettings): Record<string, SettingValue> {
  return Object.fromEntries(Object.entries(flat).sort(([a], [b]) => (a < b ? -1 : 1)));
}
