import { errors } from '@shoal/errors';
import { clusterSetting, type ClusterState, type FlatSettings, type IndexMetadata } from '@shoal/state';

const SETTING = 'shoal.cluster.max_fields';

type Properties = Readonly<Record<string, unknown>>;

/** Counts fields of mappings, those of each index once: metadata do not change. */
export class FieldCounts {
  readonly #known = new WeakMap<IndexMetadata['mapping'], number>();

  /** Number of fields, multi-fields and objects of an index. */
  of({ mapping }: IndexMetadata): number {
    const known = this.#known.get(mapping);
    if (known !== undefined) return known;
    const count = countProperties(mapping['properties']) + Object.keys((mapping['runtime'] as Properties) ?? {}).length;
    this.#known.set(mapping, count);
    return count;
  }
}

function countProperties(properties: unknown): number {
  if (typeof properties !== 'object' || properties === null) return 0;
  let count = 0;
  for (const field of Object.values(properties as Record<string, { properties?: unknown; fields?: unknown }>))
    count += 1 + countProperties(field.properties) + countProperties(field.fields);
  return count;
}

/**
 * Throws if the mappings of all indices would have more fields than `shoal.cluster.max_fields` after `before` is
 * replaced by `after`; fewer fields than before are always taken. Each node keeps all mappings in memory, about 3 KB a
 * field, and the runtime ends a process whose heap is full.
 */
export function checkFieldLimit(
  state: ClusterState,
  { before, after }: { readonly before: readonly IndexMetadata[]; readonly after: readonly IndexMetadata[] },
  { counts, nodeSettings }: { readonly counts: FieldCounts; readonly nodeSettings: FlatSettings },
): void {
  const sum = (metas: Iterable<IndexMetadata>): number => {
    let total = 0;
    for (const meta of metas) total += counts.of(meta);
    return total;
  };
  const adding = sum(after) - sum(before);
  if (adding <= 0) return;
  const current = sum(state.indices.values());
  const max = Number(clusterSetting(state, SETTING, nodeSettings));
  if (current + adding <= max) return;
  throw errors.illegalArgument(
    `this action would add [${adding}] fields, but the mappings of this cluster have [${current}]/[${max}] fields; ` +
      `delete indices, map fewer fields, or give the nodes more memory and raise [${SETTING}]`,
  );
}
