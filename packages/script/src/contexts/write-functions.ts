import { isAnyMap } from '../runtime/access.js';
import { DocumentMetadata } from '../runtime/document-metadata.js';
import { mapGet } from '../runtime/maps.js';
import { classOf } from '../runtime/values.js';
import { classCast } from '../runtime/thrown.js';
import { WriteField } from '../runtime/write-field.js';
import type { ContextFunction } from './context.js';

/** Keys of a pipeline's `ctx` that are no fields. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['_index', '_id', '_routing', '_version', '_version_type'],
  ...['_if_seq_no', '_if_primary_term', '_dynamic_templates'],
]);

function sourceOf(ctx: object): object {
  const source = mapGet(ctx, '_source');
  if (isAnyMap(source)) return source;
  throw classCast(`_source is no map but [${classOf(source)}]`);
}

const metadata = (variables: readonly string[]): ContextFunction => ({
  signature: 'org.elasticsearch.script.Metadata metadata()',
  variables,
  implementation: (ctx: object, now?: string | number) => new DocumentMetadata(ctx, now),
});

const field = (implementation: (ctx: object, path: string) => WriteField): ContextFunction => ({
  signature: 'org.elasticsearch.script.field.WriteField field(String)',
  variables: ['ctx'],
  implementation,
});

const sourceField = field((ctx, path) => new WriteField(path, { map: () => sourceOf(ctx), isReserved: () => false }));

/** Functions of scripts that change a document whose fields are in `ctx._source`. */
export const SOURCE_FIELDS: readonly ContextFunction[] = [sourceField, metadata(['ctx', '#now'])];

/** Those of `_reindex`, whose scripts are not told the time. */
export const REINDEXED_FIELDS: readonly ContextFunction[] = [sourceField, metadata(['ctx'])];

/** Functions of scripts that change a document whose fields are entries of `ctx`. */
export const PIPELINE_FIELDS: readonly ContextFunction[] = [
  field((ctx, path) => new WriteField(path, { map: () => ctx, isReserved: (key) => RESERVED.has(key) })),
  metadata(['ctx', '#now']),
];
