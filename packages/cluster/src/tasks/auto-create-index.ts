import { createDataStreamState } from '../metadata/create-data-stream-state.js';
import { createIndexState } from '../metadata/create-index-state.js';
import {
  resolveDateMath,
  resolveWriteTarget,
  type FlatSettings,
  clusterSetting,
  type ClusterState,
  noSuchIndex,
} from '@shoal/state';
import { matchesWildcard } from '@shoal/values';
import { matchingTemplate } from '../templates/compose.js';
import { createdAnswer } from './create-index.js';
import { defineTask, type TaskContext, type TaskResult } from './task.js';

/** Body of `autoCreateIndex`. */
export interface AutoCreateIndexBody {
  readonly index: string;
}

function refused(name: string, why: string): Error {
  return noSuchIndex(name, ` and ${why}`);
}

/**
 * Applies `action.auto_create_index`: true, false, or a list of `+pattern`, `-pattern`, `pattern`. Throws
 * index_not_found_exception if the name may not be created.
 */
export function checkAutoCreate(state: ClusterState, name: string, nodeSettings: FlatSettings = {}): void {
  const raw = clusterSetting(state, 'action.auto_create_index', nodeSettings);
  const value = Array.isArray(raw) ? raw.join(',') : String(raw);
  const template = matchingTemplate(state, name, false)?.template;
  if (template?.allowAutoCreate === true) return;
  if (template?.allowAutoCreate === false)
    throw refused(name, `composable template [${template.indexPatterns.join(',')}] forbids index auto creation`);
  if (value === 'true') return;
  if (value === 'false') throw refused(name, '[action.auto_create_index] is [false]');
  for (const item of value.split(',')) {
    const pattern = item.trim().replace(/^[+-]/, '');
    if (!matchesWildcard(pattern, name)) continue;
    if (item.trim().startsWith('-'))
      throw refused(
        name,
        `[action.auto_create_index] contains [${item.trim()}] which forbids automatic creation of the index`,
      );
    return;
  }
  throw refused(name, `[action.auto_create_index] ([${value}]) doesn't match`);
}

function apply(state: ClusterState, { index: name }: AutoCreateIndexBody, context: TaskContext): TaskResult {
  const concrete = resolveDateMath(name, context.nowMs);
  const existing = resolveWriteTarget(state, concrete, context.nowMs);
  if (existing) return { state, answer: { acknowledged: true, shards_acknowledged: true, index: existing.index.name } };
  checkAutoCreate(state, concrete, context.nodeSettings);
  const match = matchingTemplate(state, concrete, false);
  if (match?.template.dataStream) {
    const created = createDataStreamState(state, concrete, context);
    return createdAnswer(created.state, created.meta, null);
  }
  const created = createIndexState(
    state,
    { name: concrete, providedName: name, settings: {}, mappings: null, aliases: {} },
    context,
  );
  return createdAnswer(created.state, created.meta, null);
}

/** Creates the index or data stream that a document write names. Does nothing if it exists by now. */
export const autoCreateIndex = defineTask<AutoCreateIndexBody>({
  name: 'auto-create-index',
  priority: 'URGENT',
  source: ({ index }) => `auto create [${index}]`,
  apply,
});
