import type { ClusterState, IndexMetadata } from '@shoal/state';
import { parseCreateIndex } from '../tasks/create-index.js';
import type { TaskContext } from '../tasks/task.js';
import { createIndexState } from './create-index-state.js';

/**
 * Returns the metadata that an index of this name and body would get in a state, templates included. Throws what
 * creating it would throw.
 */
export function previewIndex(
  state: ClusterState,
  name: string,
  body: Readonly<Record<string, unknown>>,
  context: TaskContext,
): IndexMetadata {
  return createIndexState(state, parseCreateIndex(name, body, context.nowMs), context).meta;
}
