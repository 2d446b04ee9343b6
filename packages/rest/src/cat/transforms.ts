import type { StoredTransform } from '@shoal/automation';
import type { JsonObject } from '@shoal/json';
import { catRoutes, type Column, column } from './table.js';

interface Row {
  readonly transform: StoredTransform;
  readonly stats: JsonObject;
}

const counter =
  (name: string) =>
  (row: Row): number =>
    (row.stats['stats'] as Record<string, number>)[name]!;

function last({ stats }: Row): JsonObject {
  return (stats['checkpointing'] as { last: JsonObject }).last;
}

const columns: readonly Column<Row>[] = [
  column('id', '', 'the id', 'default', ({ transform }) => transform.id),
  column('state', 's', 'transform state', 'default', ({ stats }) => String(stats['state'])),
  column('checkpoint', 'c', 'checkpoint', 'default', (row) => String(last(row)['checkpoint'])),
  column(
    'documents_processed',
    'docp,documentsProcessed',
    'the number of documents read from source indices and processed',
    'default',
    counter('documents_processed'),
  ),
  column('checkpoint_progress', 'cp,checkpointProgress', 'progress of the checkpoint', 'default', () => null),
  column('last_search_time', 'lst,lastSearchTime', 'last time transform searched for updates', 'default', (row) =>
    timeOf((row.stats['checkpointing'] as JsonObject)['last_search_time']),
  ),
  column('changes_last_detection_time', 'cldt', 'changes last detected time', 'default', (row) =>
    timeOf((row.stats['checkpointing'] as JsonObject)['changes_last_detected_at']),
  ),
  column('create_time', 'ct,createTime', 'transform creation time', '', ({ transform }) => timeOf(transform.createdMs)),
  column(
    'version',
    'v',
    'the version of Elasticsearch when the transform was created',
    '',
    ({ transform }) => transform.version,
  ),
  column('source_index', 'si,sourceIndex', 'source index', '', ({ transform }) =>
    transform.config.source.index.join(','),
  ),
  column('dest_index', 'di,destIndex', 'destination index', '', ({ transform }) => transform.config.dest.index),
  column('pipeline', 'p', 'transform pipeline', '', ({ transform }) => transform.config.dest.pipeline),
  column(
    'description',
    'd',
    'description',
    '',
    ({ transform }) => (transform.config.json['description'] as string) ?? null,
  ),
  column('transform_type', 'tt', 'batch or continuous transform', '', ({ transform }) =>
    transform.config.sync === null ? 'batch' : 'continuous',
  ),
  column(
    'frequency',
    'f',
    'frequency of transform',
    '',
    ({ transform }) => (transform.config.json['frequency'] as string) ?? null,
  ),
  column(
    'max_page_search_size',
    'mpsz',
    'max page search size',
    '',
    ({ transform }) => transform.config.settings.maxPageSearchSize,
  ),
  column('docs_per_second', 'dps', 'docs per second', '', ({ transform }) => transform.config.settings.docsPerSecond),
  column('reason', 'r,reason', 'reason for the current state', '', ({ stats }) => (stats['reason'] as string) ?? null),
  column('search_total', 'st', 'total number of search phases', '', counter('search_total')),
  column('search_failure', 'sf', 'total number of search failures', '', counter('search_failures')),
  column('index_total', 'it', 'total number of index phases done by the transform', '', counter('index_total')),
  column('index_failure', 'if', 'total number of index failures', '', counter('index_failures')),
  column(
    'documents_indexed',
    'doci',
    'the number of documents written to the destination index',
    '',
    counter('documents_indexed'),
  ),
  column('trigger_count', 'tc', 'the number of times the transform has been triggered', '', counter('trigger_count')),
  column('pages_processed', 'pp', 'the number of pages processed', '', counter('pages_processed')),
];

const timeOf = (ms: unknown): string | null => (typeof ms === 'number' ? new Date(ms).toISOString() : null);

export const routes = catRoutes<Row>({
  name: 'transforms',
  paths: ['/_cat/transforms', '/_cat/transforms/{id}'],
  privilege: 'cluster:monitor/transform/get',
  parameters: ['allow_no_match', 'from', 'size'],
  columns,
  async rows({ pathParams, params }, { transforms }) {
    const found = transforms.find({
      expression: pathParams['id'] ?? '_all',
      from: params.integer('from', 0),
      size: params.integer('size', 100),
      allowNoMatch: params.boolean('allow_no_match', true),
    });
    const stats = await transforms.stats(found.transforms);
    return found.transforms.map((transform, i) => ({ transform, stats: stats[i]! }));
  },
});
