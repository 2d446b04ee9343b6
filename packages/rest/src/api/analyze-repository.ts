import type { AnalysisSum } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { formatByteSize, formatTimeValue, parseByteSize } from '@shoal/values';
import { repositoryLocation } from '../admin/repositories.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';

const MIB = 1 << 20;
/** Bytes of blobs that are in memory at the same time. */
const BYTES_AT_ONCE_MAX = 256 * MIB;
const [COUNT_MAX, CONCURRENCY_MAX, BLOB_BYTES_MAX] = [100_000, 1000, BYTES_AT_ONCE_MAX];

function within(request: RestRequest, name: string, value: number, max: number): number {
  if (value >= 1 && value <= max) return value;
  throw errors.actionRequestValidation(
    `Validation Failed: 1: ${name} must be in [1, ${max}], but was [${request.params.text(name)}];`,
  );
}

const bytesOf = ({ params }: RestRequest, name: string, fallback: string): number =>
  parseByteSize(params.text(name, fallback), name);

const sizes = (name: string, bytes: number) => ({ [name]: formatByteSize(bytes), [`${name}_bytes`]: bytes });

function times(name: string, ms: number): Record<string, unknown> {
  return { [name]: formatTimeValue(Math.round(ms)), [`${name}_nanos`]: Math.round(ms * 1e6) };
}

const sumJson = ({ count, bytes, elapsedMs }: AnalysisSum): Record<string, unknown> => ({
  count,
  ...sizes('total_size', bytes),
  ...times('total_throttled', 0),
  ...times('total_elapsed', elapsedMs),
});

async function analyze(request: RestRequest, services: Services): Promise<RestResponse> {
  const name = request.pathParams['repository'] ?? '';
  const { params } = request;
  const place = repositoryLocation(services, name);
  if (place.isReadOnly) throw errors.illegalArgument(`repository [${name}] is read-only`);
  const blobBytesMax = within(request, 'max_blob_size', bytesOf(request, 'max_blob_size', '10mb'), BLOB_BYTES_MAX);
  const concurrency = within(request, 'concurrency', params.integer('concurrency', 10), CONCURRENCY_MAX);
  const options = {
    blobCount: within(request, 'blob_count', params.integer('blob_count', 100), COUNT_MAX),
    concurrency: Math.max(1, Math.min(concurrency, Math.floor(BYTES_AT_ONCE_MAX / blobBytesMax))),
    blobBytesMax,
    totalBytesMax: bytesOf(request, 'max_total_data_size', '1gb'),
    timeoutMs: params.time('timeout', 30_000),
  };
  const { folder, write, read, listingMs, deleteMs } = await services.snapshots.analyze(place, options);
  const { id, name: nodeName } = services.node;
  return {
    status: 200,
    json: {
      coordinating_node: { id, name: nodeName },
      repository: name,
      blob_count: options.blobCount,
      concurrency,
      ...sizes('max_blob_size', blobBytesMax),
      ...sizes('max_total_data_size', options.totalBytesMax),
      blob_path: folder.slice(folder.lastIndexOf('/') + 1),
      issues_detected: [],
      summary: { write: sumJson(write), read: sumJson(read) },
      ...times('listing_elapsed', listingMs),
      ...times('delete_elapsed', deleteMs),
    },
  };
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['POST'],
    path: '/_snapshot/{repository}/_analyze',
    name: 'snapshot.repository_analyze',
    body: 'none',
    privilege: 'cluster:admin/repository/analyze',
    parameters: ['blob_count', 'concurrency', 'max_blob_size', 'max_total_data_size', 'timeout'],
    handle: analyze,
  },
];
