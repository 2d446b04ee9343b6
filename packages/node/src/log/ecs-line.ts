import type { LogFields, LogLevel } from '@shoal/doors';
import { isApiError } from '@shoal/errors';

/** Who writes a line. */
export interface LogPlace {
  readonly nodeName: string;
  readonly clusterName: string;
  /** Null until they are known. */
  readonly nodeId: () => string | null;
  readonly clusterUuid: () => string | null;
}

/** A line before it is text. */
export interface LogEntry {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly level: LogLevel;
  readonly message: string;
  /** `shoal.http`. */
  readonly logger: string;
  /** `elasticsearch.server`, or that of a log of its own. */
  readonly dataset: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** An entry of a message and its fields; errors among them become fields of their own. */
export function logEntry(atMs: number, level: LogLevel, message: string, fields: LogFields): LogEntry {
  const { 'log.logger': logger = 'shoal', 'event.dataset': dataset = 'elasticsearch.server', ...rest } = fields;
  return { atMs, level, message, logger: String(logger), dataset: String(dataset), fields: plainFields(rest) };
}

function plainFields(fields: LogFields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) =>
      value instanceof Error ? Object.entries(errorFields(value)) : [[key, value]],
    ),
  );
}

function errorFields(error: Error): Record<string, unknown> {
  const type = isApiError(error) ? error.type : error.name;
  // A stack is for defects; an expected failure is told by its type and message.
  return {
    'error.type': type,
    'error.message': error.message,
    ...(isApiError(error) && error.status < 500 ? {} : { 'error.stack_trace': error.stack }),
  };
}

/** A line of JSON with the field names of Elastic Common Schema that Elasticsearch 8.12 writes. */
export function ecsLine({ atMs, level, message, logger, dataset, fields }: LogEntry, place: LogPlace): string {
  const clusterUuid = place.clusterUuid();
  const nodeId = place.nodeId();
  return toJson({
    '@timestamp': new Date(atMs).toISOString(),
    'log.level': level.toUpperCase(),
    message,
    ...fields,
    'ecs.version': '1.2.0',
    'service.name': 'shoal',
    'event.dataset': dataset,
    'process.thread.name': fields['process.thread.name'] ?? 'main',
    'log.logger': logger,
    ...(clusterUuid === null ? {} : { 'elasticsearch.cluster.uuid': clusterUuid }),
    ...(nodeId === null ? {} : { 'elasticsearch.node.id': nodeId }),
    'elasticsearch.node.name': place.nodeName,
    'elasticsearch.cluster.name': place.clusterName,
  });
}

/** Fields are what code hands in: a value that JSON does not have must not lose the line, nor more. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
  } catch (error) {
    return JSON.stringify({ message: 'a log line could not be written', 'error.message': String(error) });
  }
}

/** A line for people at a terminal. */
export function plainLine({ atMs, level, message, fields }: LogEntry): string {
  const shown = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'object' ? toJson(value) : String(value)}`,
  );
  return (
    `${new Date(atMs).toISOString()} ${level.toUpperCase().padEnd(5)} ` +
    `${message}${shown.length === 0 ? '' : `  ${shown.join(' ')}`}`
  );
}
