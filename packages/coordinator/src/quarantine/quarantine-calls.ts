import type { CallContext, JsonAnswer } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import type { SearchRequest } from '../search/parse/search-request.js';
import { type QuarantineSize, quarantineSizes, searchEntries } from './find-entries.js';
import { startReplay } from './replay.js';
import { maintainQuarantines } from './maintain.js';
import { parseReplay, type ReplayRequest } from './replay-request.js';
import type { ByQueryRun } from '../by-query/run-by-query.js';
import { quarantineAccess, selectQuarantines } from './quarantine-access.js';

/** What a node did with refused documents since its start. */
export interface NodeQuarantineStats {
  readonly kept: number;
  readonly lost: number;
  readonly replayed: number;
}

/** Calls about the documents that pipelines and mappings refused. */
export interface QuarantineCalls {
  /** Returns how much the quarantines of an index expression hold; of all that the caller may read for no names. */
  sizes(names: readonly string[], call: CallContext): Promise<QuarantineSize[]>;
  /** Searches the entries of the quarantines of the indices that the request names. */
  search(request: SearchRequest, call: CallContext): Promise<JsonAnswer>;
  /** Reads the body of a replay. */
  parseReplay(json: unknown): ReturnType<typeof parseReplay>;
  /** Starts to write the documents of quarantines again. Throws if the caller may not read them. */
  replay(request: ReplayRequest, call: CallContext): ByQueryRun;
  /** Rolls large quarantines, deletes old entries and drops empty indices; for the master. */
  maintain(signal: AbortSignal): Promise<void>;
  stats(): NodeQuarantineStats;
}

/** Makes the calls of a coordinator. */
export function quarantineCalls(context: CoordinatorContext): QuarantineCalls {
  const { cluster, clock, quarantine } = context;
  const select = (names: readonly string[], call: CallContext) =>
    selectQuarantines(cluster.state(), names, quarantineAccess(call), clock.now());
  return {
    sizes: async (names, call) => quarantineSizes(context, select(names, call), call),
    search: async (request, call) => searchEntries(context, select(request.target.names, call), request, call),
    parseReplay: (json) => parseReplay(json, cluster.state()),
    replay: (request, call) => startReplay(context, select(request.names, call), request, call),
    maintain: (signal) => maintainQuarantines(context, signal),
    stats: () => ({ kept: quarantine.kept, lost: quarantine.lost, replayed: quarantine.replayed }),
  };
}
