import { type FilterFactory, parametersOf } from '../component.js';
import { unique } from './unique.js';

/** `remove_duplicates`: removes equal tokens at the same position. */
export const removeDuplicates: FilterFactory = {
  create: (name, _parameters, context) => unique.create(name, parametersOf({ only_on_same_position: true }), context),
};
