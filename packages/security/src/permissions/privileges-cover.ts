import type { Permissions } from '../subject.js';
import { coversTogether } from '../privileges/action-patterns.js';
import { reaches } from './grants.js';

/**
 * Whether a caller may do on the names `held` all that it may do on `name`. Otherwise adding the alias `name` to an
 * index called `held` would give the caller more privileges on that index. May be false by mistake if privileges are
 * patterns of actions, never true.
 */
export function privilegesCover({ grants }: Permissions, held: readonly string[], name: string): boolean {
  return grants.every(({ indices }) => {
    const on = (names: readonly string[]) =>
      indices.filter((grant) => names.some((one) => reaches(grant, one))).flatMap(({ actions }) => actions);
    const own = on(held);
    return on([name]).every((asked) => coversTogether(own, asked));
  });
}
