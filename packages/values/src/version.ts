/** Elasticsearch version whose API is served. Every node reports it; clients adapt to it. */
export const VERSION = '8.12.0';

/** Build that `GET /` reports: the one of Elasticsearch's release `VERSION`. */
export const BUILD = {
  flavor: 'default',
  type: 'tar',
  hash: '42683685ab813991fb301d8697075fa6361c7813',
  date: '2024-01-16T00:05:48.831648693Z',
} as const;

/** Index version of indices that Elasticsearch `VERSION` creates. */
export const INDEX_VERSION = 8_500_008;

/** Oldest index version that Elasticsearch `VERSION` opens. */
export const INDEX_VERSION_MIN = 7_000_099;

/** Transport version that Elasticsearch `VERSION` reports. */
export const TRANSPORT_VERSION = 8_560_000;

/** Lucene version that the segments API reports. */
export const LUCENE_VERSION = '9.9.1';
