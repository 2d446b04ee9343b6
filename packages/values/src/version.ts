/** Version of the API that is served, which every node says of itself: clients choose their behaviour by it. */
export const VERSION = '8.12.0';

/** The build that `GET /` shows: that of Elasticsearch's release of `VERSION`. */
export const BUILD = {
  flavor: 'default',
  type: 'tar',
  hash: '42683685ab813991fb301d8697075fa6361c7813',
  date: '2024-01-16T00:05:48.831648693Z',
} as const;

/** Version of indices that `VERSION` creates. */
export const INDEX_VERSION = 8_500_008;

/** Version of the oldest indices that `VERSION` opens. */
export const INDEX_VERSION_MIN = 7_000_099;

/** Version of the messages between nodes that `VERSION` shows. */
export const TRANSPORT_VERSION = 8_560_000;

/** Version of Lucene that segments show. */
export const LUCENE_VERSION = '9.9.1';
