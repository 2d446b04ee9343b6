const AGENT = '299 Elasticsearch-8.12.0-42683685ab813991fb301d8697075fa6361c7813';

/** A `Warning` header as Elasticsearch writes deprecations: quotes and backslashes escaped, no date. */
export function warningHeader(message: string): Record<string, string> {
  const escaped = message.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return { Warning: `${AGENT} "${escaped}"` };
}
