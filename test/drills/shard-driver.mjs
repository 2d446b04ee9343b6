// A shard on real files, driven by the drills beside this file.
import { buildAnalysisRegistry } from '@shoal/analysis';
import { mappingOptions, parseMapping } from '@shoal/mapping';
import { createCacheBudgets, openShard } from '@shoal/shard';
import { createBlockCache, levelStores, nodeFiles } from '@shoal/store';
import { randomBytes } from 'node:crypto';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** The system's clock as a door. */
const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs).unref();
    return { cancel: () => clearTimeout(timer) };
  },
  yield: nextTurn,
  lane: () => nextTurn,
  aside: nextTurn,
  turnEnd: setImmediate,
};

const MAPPING = { properties: { n: { type: 'long' }, t: { type: 'text' }, k: { type: 'keyword' } } };

export const WORDS = ['shoal', 'of', 'small', 'fish', 'swims', 'past', 'the', 'reef', 'at', 'dawn'];

/** A document whose content follows from its number. */
export const documentOf = (n) => ({
  n,
  t: Array.from({ length: 8 }, (_, i) => WORDS[(n * 7 + i * 3) % 10]).join(' '),
  k: `key-${n % 97}`,
});

/** Opens the shard in `folder`; log lines go to `lines`. */
export async function openDrillShard(folder, { lines = [], bufferBytesMax = 400_000, settings = {} } = {}) {
  const options = mappingOptions(settings, buildAnalysisRegistry({}));
  return openShard({
    shard: 0,
    primaryTerm: 1,
    metadata: {
      metadata: { name: 'drill', uuid: 'drill-uuid', settings },
      mapping: parseMapping(MAPPING, options),
      mappingOptions: options,
    },
    path: folder,
    stores: levelStores(),
    files: nodeFiles(),
    clock,
    random: { next: Math.random, bytes: (length) => new Uint8Array(randomBytes(length)) },
    log: { write: (level, message, fields) => lines.push({ level, message, fields }) },
    blockCache: createBlockCache(16 * 1024 * 1024),
    bufferBytesMax,
    cacheBudgets: createCacheBudgets(1024 * 1024),
  });
}

/** `writes`: `[id, n]` indexes the document of that number, `[id, null]` deletes. */
export function bulkRequest(writes) {
  const sources = writes.map(([, n]) => (n === null ? Buffer.alloc(0) : Buffer.from(JSON.stringify(documentOf(n)))));
  let at = 0;
  const items = writes.map(([id, n], i) => {
    const sourceStart = at;
    at += sources[i].length;
    return {
      op: n === null ? 3 : 0,
      id,
      sourceStart,
      sourceEnd: at,
      versionType: 0,
      autoId: false,
      retryOnConflict: 0,
    };
  });
  return {
    shard: { indexUuid: 'drill-uuid', shard: 0 },
    indexName: 'drill',
    refresh: 0,
    sources: Buffer.concat(sources),
    items,
  };
}

export const noMaster = { updateMapping: () => Promise.reject(new Error('the mapping is complete')) };

/**
 * The `n` of each live document by id, as a search sees them after a refresh; also checks that a term query's postings
 * agree.
 */
export function visibleDocuments(shard) {
  shard.refresh();
  const lease = shard.acquire();
  const found = new Map();
  const { searcher } = lease;
  for (const { live, docBase, maxDoc } of searcher.segments) {
    for (let doc = 0; doc < maxDoc; doc++) {
      if (live && !live.get(doc)) continue;
      const stored = searcher.stored(docBase + doc);
      if (found.has(stored.id)) throw new Error(`two live documents of ${stored.id}`);
      found.set(stored.id, JSON.parse(Buffer.from(stored.source).toString()).n);
    }
  }
  if (found.size !== searcher.liveDocCount)
    throw new Error(`${found.size} documents, ${searcher.liveDocCount} counted`);
  lease.release();
  return found;
}

/** Documents by value of `k`, counted from postings: reads the terms of every segment. */
export function countByKey(shard) {
  const lease = shard.acquire();
  const counts = new Map();
  for (const { reader, live, maxDoc } of lease.searcher.segments) {
    const terms = reader.terms('k');
    if (!terms) continue;
    const cursor = terms.cursor();
    for (let more = cursor.seek(''); more; more = cursor.next()) {
      const postings = terms.postings(cursor.ordinal);
      while (postings.nextBlock() > 0) {
        for (let i = 0; i < postings.size; i++) {
          const doc = postings.docs[i];
          if (doc < maxDoc && (!live || live.get(doc))) counts.set(cursor.term, (counts.get(cursor.term) ?? 0) + 1);
        }
      }
    }
  }
  lease.release();
  return counts;
}
