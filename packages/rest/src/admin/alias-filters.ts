import { compositionFor, createIndexMappings, previewIndex, sharedMappings, type TaskContext } from '@shoal/cluster';
import { checkAliasFilter } from '@shoal/coordinator';
import { newUuid } from '@shoal/doors';
import type { AliasMetadata, IndexMetadata } from '@shoal/state';
import type { Services } from '../services.js';

/** Milliseconds that checking a filter on many indices may use the thread at a time. */
const TURN_MS = 8;

/** Context to try tasks on the present state; nothing is changed. */
export function simulationContext(services: Services): TaskContext {
  return {
    nowMs: services.clock.now(),
    newUuid: () => newUuid(services.random),
    mappings: createIndexMappings(),
    nodeSettings: services.node.settings,
  };
}

/**
 * Throws if the filter of an alias is no query or cannot be run on one of the indices. Indices that share a parsed
 * mapping are checked once.
 */
export async function checkFilterOn(
  services: Services,
  alias: string,
  { filter }: AliasMetadata,
  metas: readonly IndexMetadata[],
): Promise<void> {
  if (filter === undefined) return;
  if (metas.length === 0) checkAliasFilter(alias, filter, null);
  const { clock } = services;
  const checked = new Set<unknown>();
  let turnEnds = clock.monotonic() + TURN_MS;
  for (const meta of metas) {
    if (clock.monotonic() >= turnEnds) {
      await clock.yield();
      turnEnds = clock.monotonic() + TURN_MS;
    }
    const { mapping, options } = sharedMappings.parse(meta.mapping, meta.settings);
    if (checked.has(mapping)) continue;
    checked.add(mapping);
    checkAliasFilter(alias, filter, { meta, mapping, analysis: options.analysis, nowMs: clock.now() });
  }
}

/**
 * Throws if the filter of an alias of a new index, its own or one of templates, cannot be run on it, or what else is
 * wrong with the index.
 */
export async function checkNewFilters(
  services: Services,
  index: string,
  body: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, AliasMetadata>>,
): Promise<void> {
  const state = services.cluster.state();
  const all = [...Object.values(compositionFor(state, index, false).aliases), ...Object.values(own)];
  if (all.every(({ filter }) => filter === undefined)) return;
  const meta = previewIndex(state, index, body, simulationContext(services));
  for (const [name, alias] of Object.entries(meta.aliases)) await checkFilterOn(services, name, alias, [meta]);
}
