import { bodyReader } from '@shoal/json';
import { errors } from '@shoal/errors';
import { withSettings } from '../effects.js';
import type { LifecycleActionType } from '../step.js';

/** Sets the order in which indices recover after a restart. */
export const setPriority: LifecycleActionType = {
  name: 'set_priority',
  parse(options) {
    const reader = bodyReader('set_priority', options);
    reader.onlyKeys(['priority']);
    const priority = reader.optionalNumber('priority');
    if (priority === null && options['priority'] === undefined) throw errors.illegalArgument('Required [priority]');
    if (priority !== null && (priority < 0 || !Number.isSafeInteger(priority)))
      throw errors.illegalArgument('[priority] must be 0 or greater');
    return { priority };
  },
  steps: ({ priority }) => [
    {
      name: 'set_priority',
      decide: ({ meta }) => withSettings(meta, { 'index.priority': priority === null ? null : String(priority) }),
    },
  ],
  describe: ({ priority }) => `sets [index.priority] to [${String(priority)}]`,
};
