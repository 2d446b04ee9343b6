import { dataStreamOf } from '@shoal/state';
import { DONE, type Step, waits } from '../step.js';

/** Waits until an index of a data stream is no longer its write index. */
export const checkNotWriteIndex: Step = {
  name: 'check-not-write-index',
  decide({ state, meta, policy }) {
    const stream = dataStreamOf(state, meta.uuid);
    if (stream?.indices.at(-1) !== meta.uuid) return DONE;
    return waits(
      `index [${meta.name}] is the write index for data stream [${stream.name}], pausing ILM execution of lifecycle ` +
        `[${policy}] until this index is no longer the write index for the data stream via manual or automated ` +
        'rollover',
    );
  },
};
