import type { LogFields, LogLevel } from '@shoal/doors';
import { isApiError } from '@shoal/errors';

/** Node and cluster that a log line names. */
export interface LogPlace {
  readonly nodeName: string;
  readonly clusterName: string;
  /** Return null until the ids are known. */
  readonly nodeId: () => string | null;
  readonly clusterUuid: () => string | null;
}

/** A log line before it is formatted. */
export interface LogEntry {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly level: LogLevel;
  readonly message: string;
  /** Name of the logger, such as `shoal.http`. */
  readonly logger: string;
  /** `event.dataset`: `elasticsearch.server`, or that of another kind of log. */
  readonly dataset: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Builds an entry from a message and its fields. An error among the fields becomes several fields. */
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
  // Only defects are logged with a stack; expected failures with type and message.
  return {
    'error.type': type,
    'error.message': error.message,
    ...(isApiError(error) && error.status < 500 ? {} : { 'error.stack_trace': error.stack }),
  };
}

/** Formats a line of JSON with the Elastic Common Schema fields that Elasticsearch 8.12 writes. */
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

/**
 * Converts fields to JSON. A value that JSON cannot express, such as a bigint or a cycle, must neither lose the line
 * nor throw.
 */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
  } catch (error) {
    return JSON.stringify({ message: 'a log line could not be written', 'error.message': String(error) });
  }
}

/** Formats a line for people at a terminal. */
export function plainLine({ atMs, level, message, fields }: LogEntry): string {
  const shown = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'object' ? toJson(value) : String(value)}`,
  );
  return (
    `${new Date(atMs).toISOString()} ${level.toUpperCase().padEnd(5)} ` +
    `${message}${shown.length === 0 ? '' : `  ${shown.join(' ')}`}`
  );
}
