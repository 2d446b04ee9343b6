import type { ClusterService } from '@shoal/cluster';
import { nameIndex, OPEN_ONLY } from '@shoal/state';
import {
  type CallContext,
  type Coordinator,
  type JsonAnswer,
  plainGet,
  plainWrite,
  type Refresh,
  type SearchRequest,
  type WriteOperation,
} from '@shoal/coordinator';
import { type Clock, LazySignal } from '@shoal/doors';
import { errors, isApiError } from '@shoal/errors';
import { parseSource, stringify, type JsonObject } from '@shoal/json';
import {
  EVERYBODY,
  type DocumentSearchResult,
  SECURITY_INDICES,
  type SecurityDocument,
  type SecurityDocuments,
  type SecurityIndex,
  type WhenVisible,
} from '@shoal/security';

/** Limit in milliseconds for a call on a restricted index. */
const TIMEOUT_MS = 30_000;

const REFRESH: Readonly<Record<WhenVisible, Refresh>> = { now: 'now', wait: 'wait', later: 'none' };

/** Runs a call that the node makes itself. No client can cancel it; only its timeout ends it early. */
async function ownCall<T>(clock: Clock, call: (context: CallContext) => Promise<T>): Promise<T> {
  const signal = new LazySignal();
  const timer = clock.after(TIMEOUT_MS, () =>
    signal.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
  );
  try {
    return await call({ signal, opaqueId: null, withType: false, subject: EVERYBODY });
  } finally {
    timer.cancel();
  }
}

function jsonOf({ chunks }: JsonAnswer): JsonObject {
  return parseSource(Buffer.concat(chunks)) as JsonObject;
}

function documentOf(hit: JsonObject): SecurityDocument {
  const {
    _id: id,
    _source: source,
    _seq_no: seqNo,
    _primary_term: primaryTerm,
    sort,
  } = hit as { _id: string; _source: JsonObject; _seq_no: number; _primary_term: number; sort?: readonly unknown[] };
  return { id, source, seqNo, primaryTerm, ...(sort ? { sort } : {}) };
}

function operationOf(
  index: SecurityIndex,
  op: WriteOperation['op'],
  id: string,
  source: JsonObject | null,
  over: SecurityDocument | null,
): WriteOperation {
  const body = source === null ? new Uint8Array(0) : Buffer.from(stringify(source));
  return plainWrite(op, index, id, body, over);
}

const isConflict = (error: unknown): boolean => isApiError(error) && error.status === 409;

/** Reads and writes the restricted indices through this node's coordinator. Calls end after 30 s on `clock`. */
export function createSecurityDocuments(
  cluster: ClusterService,
  coordinator: Coordinator,
  clock: Clock,
): SecurityDocuments {
  const exists = (index: SecurityIndex): boolean => nameIndex(cluster.state()).has(index);
  const make = async (index: SecurityIndex): Promise<void> => {
    if (exists(index)) return;
    try {
      await cluster.submit('create-index', { name: index, body: SECURITY_INDICES[index] });
    } catch (error) {
      if (!isApiError(error) || error.type !== 'resource_already_exists_exception') throw error;
    }
  };
  const write = (operation: WriteOperation, visible: WhenVisible): Promise<unknown> =>
    ownCall(clock, (context) =>
      coordinator.write(
        { operation, refresh: REFRESH[visible], timeoutMs: TIMEOUT_MS, waitForActiveShards: null },
        context,
      ),
    );
  return {
    get: (index, id) => (exists(index) ? getDocument(coordinator, clock, index, id) : Promise.resolve(null)),
    async create(index, id, source, visible) {
      await make(index);
      await write(operationOf(index, 'create', id, source, null), visible);
    },
    async replace(index, read, source, visible) {
      try {
        await write(operationOf(index, 'index', read.id, source, read), visible);
        return true;
      } catch (error) {
        if (isConflict(error)) return false;
        throw error;
      }
    },
    async remove(index, id) {
      if (exists(index)) await write(operationOf(index, 'delete', id, null, null), 'later');
    },
    search: (index, body) =>
      exists(index) ? searchDocuments(coordinator, clock, index, body) : Promise.resolve({ total: 0, documents: [] }),
  };
}

async function getDocument(
  coordinator: Coordinator,
  clock: Clock,
  index: SecurityIndex,
  id: string,
): Promise<SecurityDocument | null> {
  const json = jsonOf(await ownCall(clock, (context) => coordinator.get(plainGet(index, id), context)));
  return json['found'] === true ? documentOf(json) : null;
}

async function searchDocuments(
  coordinator: Coordinator,
  clock: Clock,
  index: SecurityIndex,
  body: JsonObject,
): Promise<DocumentSearchResult> {
  const request: SearchRequest = {
    target: { names: [index], options: OPEN_ONLY },
    namedIndicesOptions: false,
    body: Buffer.from(JSON.stringify({ track_total_hits: true, ...body, seq_no_primary_term: true })),
    overrides: {},
    searchType: 'query_then_fetch',
    routing: null,
    preference: null,
    typedKeys: false,
    totalHitsAsInt: false,
    scrollMs: null,
    allowPartialResults: false,
    requestCache: false,
    maxConcurrentShardRequests: 5,
    includeNamedQueriesScore: false,
  };
  const answer = await ownCall(clock, (context) => coordinator.search(request, context));
  const { hits } = jsonOf(answer) as { hits?: { total: { value: number }; hits: readonly JsonObject[] } };
  if (!hits) throw errors.illegalState(`a search of [${index}] has no hits section`);
  return { total: hits.total.value, documents: hits.hits.map(documentOf) };
}
