import { createHash } from 'node:crypto';
import type { Log } from '@shoal/doors';

/** Number of the latest deprecations that are not logged again for the same client. */
const RECENT_MAX = 128;

/** Logs the `Warning` headers of answers; recent ones are not repeated for the same client. */
export interface DeprecationLog {
  write(warning: string, caller: { readonly opaqueId: string | null; readonly traceId: string | null }): void;
}

/** The text in `299 Elasticsearch-… "text"`. */
function textOf(warning: string): string {
  const quoted = /"((?:[^"\\]|\\.)*)"/.exec(warning)?.[1];
  return quoted === undefined ? warning : quoted.replace(/\\(.)/g, '$1');
}

/** Creates a log that writes to the logger `deprecation.elasticsearch`. */
export function createDeprecationLog(log: Log): DeprecationLog {
  const recent = new Set<string>();
  return {
    write(warning, { opaqueId, traceId }) {
      const code = createHash('sha1').update(warning).digest('hex').slice(0, 16);
      const key = `${opaqueId ?? ''} ${code}`;
      if (recent.has(key)) return;
      recent.add(key);
      if (recent.size > RECENT_MAX) recent.delete(recent.values().next().value!);
      log.write('warn', textOf(warning), {
        'event.dataset': 'deprecation.elasticsearch',
        'log.logger': 'deprecation.rest',
        'event.code': code,
        'data_stream.type': 'logs',
        'data_stream.dataset': 'deprecation.elasticsearch',
        'data_stream.namespace': 'default',
        'elasticsearch.event.category': 'api',
        ...(opaqueId === null
          ? {}
          : { 'http.request.id': opaqueId, 'elasticsearch.http.request.x_opaque_id': opaqueId }),
        ...(traceId === null ? {} : { 'trace.id': traceId }),
      });
    },
  };
}
