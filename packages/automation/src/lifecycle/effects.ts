import type { FlatSettings, IndexMetadata } from '@shoal/state';
import type { Verdict } from './step.js';

/** Changes settings of the index, unless it has them already; null removes one. */
export function withSettings(meta: IndexMetadata, settings: FlatSettings): Verdict {
  const isDone = Object.entries(settings).every(([name, value]) => (meta.settings[name] ?? null) === value);
  if (isDone) return { kind: 'done' };
  return {
    kind: 'effect',
    effect: {
      kind: 'task',
      task: 'update-settings',
      body: { uuids: [meta.uuid], settings },
      action: 'indices:admin/settings/update',
      names: [meta.name],
    },
  };
}
