import { errors } from '@shoal/errors';
import { dataStreams, section } from '@shoal/state';
import { selectNames } from '@shoal/values';
import { withoutKeys, withSection } from '../metadata/edit-state.js';
import { createDataStreamState } from '../metadata/create-data-stream-state.js';
import { removeIndices } from '../metadata/remove-indices.js';
import { createdAnswer } from './create-index.js';
import { ACKNOWLEDGED, defineTask } from './task.js';

/** Creates a data stream with its first backing index. */
export const createDataStream = defineTask<{ name: string }>({
  name: 'create-data-stream',
  priority: 'URGENT',
  source: ({ name }) => `create-data-stream [${name}]`,
  apply(state, { name }, context) {
    const created = createDataStreamState(state, name, context);
    return { ...createdAnswer(created.state, created.meta, null), answer: ACKNOWLEDGED, answerUnmet: ACKNOWLEDGED };
  },
  createdBefore: (state, _body, created) => ({
    ...createdAnswer(state, created, null),
    answer: ACKNOWLEDGED,
    answerUnmet: ACKNOWLEDGED,
  }),
});

/** Body of `deleteDataStream`. */
export interface DeleteDataStreamBody {
  readonly names: readonly string[];
  /** Uuid of an index: nothing happens unless it is the only one of the streams. */
  readonly onlyWith?: string;
}

/** Deletes data streams with their backing indices. */
export const deleteDataStream = defineTask<DeleteDataStreamBody>({
  name: 'delete-data-stream',
  priority: 'URGENT',
  source: ({ names }) => `delete-data-stream [${names.join(',')}]`,
  apply(state, { names, onlyWith }, context) {
    const known = dataStreams(state);
    const doomed = selectNames(
      known.map((stream) => stream.name),
      names,
    );
    const missing = names.find((name) => !name.includes('*') && !doomed.includes(name));
    if (missing !== undefined)
      throw errors.indexNotFound(`no such index [${missing}]`, {
        meta: { 'resource.type': 'index_or_alias', 'resource.id': missing, index_uuid: '_na_', index: missing },
      });
    const uuids = known.filter((stream) => doomed.includes(stream.name)).flatMap((stream) => stream.indices);
    if (onlyWith !== undefined && uuids.join() !== onlyWith) return { state, answer: ACKNOWLEDGED };
    const cleared = withSection(state, 'dataStreams', withoutKeys(section(state, 'dataStreams'), new Set(doomed)));
    return { state: removeIndices(cleared, uuids, context.nowMs), answer: ACKNOWLEDGED };
  },
});
