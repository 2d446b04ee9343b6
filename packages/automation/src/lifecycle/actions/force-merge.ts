import { bodyReader } from '@shoal/json';
import { errors } from '@shoal/errors';
import { DONE, type LifecycleActionType } from '../step.js';
import { checkNotWriteIndex } from './write-index.js';

/** Merges the segments of each shard. */
export const forceMerge: LifecycleActionType = {
  name: 'forcemerge',
  parse(options) {
    const reader = bodyReader('forcemerge', options);
    reader.onlyKeys(['max_num_segments', 'index_codec']);
    const count = reader.optionalNumber('max_num_segments');
    if (count === null) throw errors.illegalArgument('Required [max_num_segments]');
    if (count <= 0 || !Number.isSafeInteger(count))
      throw errors.illegalArgument('[max_num_segments] must be a positive integer');
    const codec = reader.optionalText('index_codec');
    if (codec !== null) throw errors.illegalArgument(`unknown index codec: [${codec}]`);
    return { max_num_segments: count };
  },
  steps: ({ max_num_segments: count }) => [
    checkNotWriteIndex,
    {
      name: 'forcemerge',
      decide: () => ({ kind: 'effect', effect: { kind: 'force-merge', segmentsMax: Number(count) } }),
    },
    {
      name: 'segment-count',
      // As in 8.12, a merge is tried, not promised: the copy that was merged may have died, and its successor was not.
      decide: () => DONE,
    },
  ],
  describe: ({ max_num_segments: count }) => `merges each shard into at most [${String(count)}] segments`,
};
