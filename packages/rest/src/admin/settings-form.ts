import { type FlatSettings, nestedSettings, sortSettings } from '@shoal/cluster';
import type { RestRequest } from '../route.js';

/** Flat or nested settings, as `flat_settings` asks. */
export function settingsForm(request: RestRequest): (flat: FlatSettings) => Record<string, unknown> {
  return request.params.boolean('flat_settings', false) ? sortSettings : nestedSettings;
}
