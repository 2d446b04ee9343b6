import { type ApiError, errors } from '@shoal/errors';
import { type DataStream, dataStream } from '../indices/data-streams.js';
import { resolveDateMath } from '../names/date-math-name.js';
import type { AliasMetadata, ClusterState, IndexMetadata } from '../state.js';
import { nameIndex } from '../edit.js';
import { aliasIndex } from './alias-index.js';

/** The index that writes to a name go to. */
export interface WriteTarget {
  readonly index: IndexMetadata;
  /** The alias if the name is one, for its routing; otherwise null. */
  readonly alias: AliasMetadata | null;
  /** The data stream if the name is one: only `create` may write to it. Otherwise null. */
  readonly dataStream: DataStream | null;
}

function noWriteIndex(alias: string): ApiError {
  return errors.illegalArgument(
    `no write index is defined for alias [${alias}]. The write index may be explicitly disabled using ` +
      'is_write_index=false or the alias points to multiple indices without one being designated as a write index',
  );
}

/**
 * Returns the index of an alias that takes its writes: the one with `is_write_index`, or the only one unless it has
 * `is_write_index: false`. Null if there is none.
 */
export function writeIndexOf(members: readonly IndexMetadata[], alias: string): IndexMetadata | null {
  const marked = members.find((meta) => meta.aliases[alias]?.isWriteIndex === true);
  if (marked) return marked;
  const [only] = members;
  return members.length === 1 && only && only.aliases[alias]?.isWriteIndex !== false ? only : null;
}

/**
 * Resolves the index that a document write to `name` goes to; null if nothing has the name. Throws if an alias has no
 * write index.
 */
export function resolveWriteTarget(state: ClusterState, name: string, nowMs = 0): WriteTarget | null {
  const concrete = resolveDateMath(name, nowMs);
  const index = nameIndex(state).get(concrete);
  if (index) return { index, alias: null, dataStream: null };
  const members = aliasIndex(state).get(concrete);
  if (members) {
    const target = writeIndexOf(members, concrete);
    if (!target) throw noWriteIndex(concrete);
    return { index: target, alias: target.aliases[concrete] ?? null, dataStream: null };
  }
  const stream = dataStream(state, concrete);
  const writeIndex = state.indices.get(stream?.indices.at(-1) ?? '');
  return stream && writeIndex ? { index: writeIndex, alias: null, dataStream: stream } : null;
}
