import type { Permissions } from '../subject.js';
import { coversTogether } from '../privileges/action-patterns.js';
import { reaches } from './grants.js';

/**
 * Whether a caller may do to what has one of `held` names all that it may do to `name`. Else an index that gets `name`
 * besides would be open to more than it was. Errs to false where privileges are given as patterns of actions.
 */
export function mayAsMuch({ grants }: Permissions, held: readonly string[], name: string): boolean {
  return grants.every(({ indices }) => {
    const on = (names: readonly string[]) =>
      indices.filter((grant) => names.some((one) => reaches(grant, one))).flatMap(({ actions }) => actions);
    const own = on(held);
    return on([name]).every((asked) => coversTogether(own, asked));
  });
}
