import { dateFormat, timeZone } from '@shoal/values';
import { errors } from '@shoal/errors';
import type { DataStream, ClusterState } from '@shoal/state';
import { withEntry } from './edit-state.js';
import type { TaskContext } from '../tasks/task.js';
import { composeIndexTemplate, matchingTemplate } from '../templates/compose.js';
import type { IndexTemplate } from '../templates/template.js';
import { withSeriesSettings } from './series-window.js';
import { type CreatedIndex, createIndexState, TIMESTAMP_MAPPING, validateNewName } from './create-index-state.js';

/**
 * Returns the template with a `data_stream` that matches a name. Throws illegal_argument_exception if there is none.
 */
export function dataStreamTemplate(state: ClusterState, name: string): { name: string; template: IndexTemplate } {
  const match = matchingTemplate(state, name, false);
  if (!match) throw errors.illegalArgument(`no matching index template found for data stream [${name}]`);
  if (!match.template.dataStream) {
    throw errors.illegalArgument(
      `matching index template [${match.name}] for data stream [${name}] has no data stream template`,
    );
  }
  return match;
}

/** Creates the next backing index of a data stream. */
export function createBackingIndex(
  state: ClusterState,
  stream: Pick<DataStream, 'name' | 'generation' | 'indices'>,
  template: IndexTemplate,
  context: TaskContext,
): CreatedIndex {
  const name = backingIndexName(stream.name, stream.generation, context.nowMs);
  const composed = composeIndexTemplate(state, template);
  const bare = { ...composed, mappings: [TIMESTAMP_MAPPING, ...composed.mappings], aliases: {} };
  const previous = state.indices.get(stream.indices.at(-1) ?? '') ?? null;
  const composition = withSeriesSettings(bare, previous, context);
  const settings = { 'index.hidden': 'true', 'index.routing.allocation.include._tier_preference': 'data_hot' };
  return createIndexState(
    state,
    { name, providedName: name, settings, mappings: null, aliases: {}, composition },
    context,
  );
}

/** Creates a data stream with its first backing index. */
export function createDataStreamState(state: ClusterState, name: string, context: TaskContext): CreatedIndex {
  const { name: templateName, template } = dataStreamTemplate(state, name);
  validateNewName(state, name);
  const created = createBackingIndex(state, { name, generation: 1, indices: [] }, template, context);
  const lifecycle = composeIndexTemplate(state, template).lifecycle;
  const stream: DataStream = {
    name,
    indices: [created.meta.uuid],
    generation: 1,
    hidden: template.dataStream?.hidden ?? false,
    allowCustomRouting: template.dataStream?.allowCustomRouting ?? false,
    template: templateName,
    ...(template.meta ? { meta: template.meta } : {}),
    ...(lifecycle ? { lifecycle } : {}),
  };
  return { state: withEntry(created.state, 'dataStreams', name, stream), meta: created.meta };
}

/** Name of a backing index, such as `.ds-logs-2026.11.21-000001`. */
function backingIndexName(stream: string, generation: number, nowMs: number): string {
  const day = dateFormat('uuuu.MM.dd').print(nowMs, timeZone('UTC'));
  return `.ds-${stream}-${day}-${String(generation).padStart(6, '0')}`;
}
