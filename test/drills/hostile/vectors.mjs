// Searches of vectors: many clauses, long vectors, large numbers.
const list = (count, make) => Array.from({ length: count }, (_, i) => make(i));
const of = (method, path, body) => ({ method, path, body });
const lines = (values) => `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;

/** Indices of 800 long vectors, and of 5,000 short ones with sparse vectors. */
export async function fillVectors(call) {
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  const vector = { type: 'dense_vector', dims: 4096, index: true, similarity: 'l2_norm' };
  await call('PUT', '/vectors', { settings, mappings: { properties: { v: vector } } });
  for (let part = 0; part < 8; part++) {
    const documents = list(100, (i) => [{ index: {} }, { v: list(4096, (j) => ((i * 31 + j * 7 + part) % 97) / 97) }]);
    await call('POST', '/vectors/_bulk', lines(documents.flat()));
  }
  const near = { type: 'dense_vector', dims: 2, index: true, similarity: 'l2_norm' };
  await call('PUT', '/near', { settings, mappings: { properties: { v: near, w: { type: 'sparse_vector' } } } });
  const points = list(5_000, (i) => [{ index: {} }, { v: [i % 71, i / 71], w: { [`token${i % 1000}`]: 1 } }]);
  await call('POST', '/near/_bulk', lines(points.flat()));
}

/** A clause of a vector of few bytes: many fit into a body. */
const smallNearest = (i) => ({ field: 'v', query_vector: [i % 71, i / 71], k: 10, num_candidates: 10 });

/** Attacks by name. */
export const vectorSearches = {
  'kNN of 4,096 dimensions, 10,000 candidates': of('POST', '/vectors/_search', () => ({
    knn: { field: 'v', query_vector: list(4096, (i) => i / 4096), k: 10_000, num_candidates: 10_000 },
    size: 10,
  })),
  '50 kNN at once with a filter each': of('POST', '/vectors/_search', () => ({
    knn: list(50, (j) => ({
      field: 'v',
      query_vector: list(4096, (i) => (i + j) / 4096),
      k: 100,
      num_candidates: 1000,
      filter: { match_all: {} },
    })),
  })),
  '1,000 kNN at once': of('POST', '/near/_search', () => ({ knn: list(1000, smallNearest) })),
  '20,000 kNN at once': of('POST', '/near/_search', () => ({ knn: list(20_000, smallNearest) })),
  '200 kNN of 1,000 candidates': of('POST', '/near/_search', () => ({
    knn: list(200, (i) => ({ ...smallNearest(i), k: 1000, num_candidates: 1000 })),
  })),
  '1,000 kNN queries in a bool': of('POST', '/near/_search', () => ({
    query: { bool: { should: list(1000, (i) => ({ knn: { ...smallNearest(i), k: undefined } })) } },
  })),
  '1,000 kNN with a filter each': of('POST', '/near/_search', () => ({
    knn: list(1000, (i) => ({ ...smallNearest(i), filter: { exists: { field: 'v' } } })),
  })),
  'weighted_tokens of 100,000 tokens': of('POST', '/near/_search', () => ({
    query: { weighted_tokens: { w: { tokens: Object.fromEntries(list(100_000, (i) => [`token${i}`, i])) } } },
  })),
  '32 weighted_tokens of 1,000 tokens': of('POST', '/near/_search', () => ({
    query: {
      bool: {
        should: list(32, () => ({
          weighted_tokens: { w: { tokens: Object.fromEntries(list(1000, (i) => [`token${i}`, i])) } },
        })),
      },
    },
  })),
  'all vectors in the hits': of('POST', '/vectors/_search', () => ({ size: 10_000, fields: ['v'] })),
  'a vector of 1,000,000 numbers': of('POST', '/near/_search', () => ({
    knn: { field: 'v', query_vector: list(1e6, (i) => i % 1000), k: 10, num_candidates: 10 },
  })),
  '8 vectors of 100,000 numbers': of('POST', '/near/_search', () => ({
    query: {
      bool: {
        should: list(8, () => ({ knn: { field: 'v', query_vector: list(1e5, (i) => i % 1000), num_candidates: 10 } })),
      },
    },
  })),
  'vector with 1e308': of('POST', '/vectors/_search', () => ({
    knn: { field: 'v', query_vector: list(4096, () => 1e308), k: 10, num_candidates: 10 },
  })),
  'script over vectors': of('POST', '/vectors/_search', () => ({
    query: {
      script_score: {
        query: { match_all: {} },
        script: { source: "l2norm(params.q, 'v')", params: { q: list(4096, (i) => i) } },
      },
    },
  })),
};
