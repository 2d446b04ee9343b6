import { errors } from '@shoal/errors';
import {
  aliasIndex,
  type ClusterState,
  nameIndex,
  resolveDateMath,
  resolveWriteTarget,
  type WriteTarget,
} from '@shoal/state';

/** Resolves the index that a read of a single document from `name` uses; null if nothing has the name. */
export function resolveReadTarget(state: ClusterState, name: string, nowMs = 0): WriteTarget | null {
  const concrete = resolveDateMath(name, nowMs);
  const members = nameIndex(state).has(concrete) ? null : aliasIndex(state).get(concrete);
  if (!members) return resolveWriteTarget(state, concrete, nowMs);
  const [only] = members;
  if (members.length !== 1 || !only) {
    const names = members.map((meta) => meta.name).join(', ');
    throw errors.illegalArgument(
      `alias [${concrete}] has more than one index associated with it [${names}], can't execute a single index op`,
    );
  }
  return { index: only, alias: only.aliases[concrete] ?? null, dataStream: null };
}
