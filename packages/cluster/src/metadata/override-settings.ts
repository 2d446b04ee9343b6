import type { FlatSettings, SettingValue } from '@shoal/state';

/** Applies `changes` to `base`. Null removes a setting; a name with `*` removes all settings that match. */
export function overrideSettings(
  base: FlatSettings,
  changes: FlatSettings,
  matches: (pattern: string, name: string) => boolean,
): Record<string, SettingValue> {
  const result = new Map(Object.entries(base));
  for (const [name, value] of Object.entries(changes)) {
    if (value !== null) result.set(name, value);
    else if (!name.includes('*')) result.delete(name);
    else for (const known of result.keys()) if (matches(name, known)) result.delete(known);
  }
  return Object.fromEntries(result);
}
