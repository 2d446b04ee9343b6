import type { ApiError } from '@shoal/errors';

/** Java class names of errors in texts of `_validate/query`. */
const CLASSES: ReadonlyMap<string, string> = new Map([
  ['parsing_exception', 'org.elasticsearch.common.ParsingException'],
  ['named_object_not_found_exception', 'org.elasticsearch.xcontent.NamedObjectNotFoundException'],
  ['x_content_parse_exception', 'org.elasticsearch.xcontent.XContentParseException'],
  ['query_shard_exception', 'org.elasticsearch.index.query.QueryShardException'],
  ['parse_exception', 'org.elasticsearch.ElasticsearchParseException'],
  ['too_many_clauses', 'org.apache.lucene.search.IndexSearcher$TooManyClauses'],
  ['date_time_parse_exception', 'java.time.format.DateTimeParseException'],
]);

function javaClass(type: string): string {
  const known = CLASSES.get(type);
  if (known) return known;
  const name = type
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  return `java.lang.${name}`;
}

/** Prints an error and its causes in one line, as 8.12's own exceptions do (`getDetailedMessage`). */
export function javaErrorText(error: ApiError): string {
  const own = `${javaClass(error.type)}: ${error.reason}`;
  return error.causedBy && error.isElastic ? `${own}; ${javaErrorText(error.causedBy)}` : own;
}
