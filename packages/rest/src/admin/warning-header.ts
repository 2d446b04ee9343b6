import { BUILD, VERSION } from '@shoal/values';

const AGENT = `299 Elasticsearch-${VERSION}-${BUILD.hash}`;

/** A `Warning` header in Elasticsearch's form for deprecations: quotes and backslashes escaped, no date. */
export function warningHeader(message: string): Record<string, string> {
  const escaped = message.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return { Warning: `${AGENT} "${escaped}"` };
}
