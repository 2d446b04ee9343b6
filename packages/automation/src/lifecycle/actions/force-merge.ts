import { bodyReader } from '@shoal/json';
import { errors } from '@shoal/errors';
import { DONE, type LifecycleActionType, waits } from '../step.js';
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
      decide({ meta, measured }) {
        if (meta.state === 'close') return DONE;
        if (measured === null) return { kind: 'measure' };
        if (measured.segments <= Number(count)) return DONE;
        return waits(`a shard of index [${meta.name}] has [${measured.segments}] segments, wanted [${String(count)}]`);
      },
    },
  ],
  describe: ({ max_num_segments: count }) => `merges each shard into at most [${String(count)}] segments`,
};
