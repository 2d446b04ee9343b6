import { bodyReader } from '@shoal/json';
import { withSettings } from '../effects.js';
import type { LifecycleActionType } from '../step.js';
import { checkNotWriteIndex } from './write-index.js';

/** Refuses further writes. */
export const readOnly: LifecycleActionType = {
  name: 'readonly',
  parse(options) {
    bodyReader('readonly', options).onlyKeys([]);
    return {};
  },
  steps: () => [
    checkNotWriteIndex,
    { name: 'readonly', decide: ({ meta }) => withSettings(meta, { 'index.blocks.write': 'true' }) },
  ],
  describe: () => 'refuses further writes',
};
