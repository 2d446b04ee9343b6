import type { shard as messages } from '@shoal/protocol';

const SOURCE_KEY = ',"_source":';
const CLOSE = Buffer.from('}');

function head(index: string, id: string, withType: boolean): string {
  return `{"_index":${JSON.stringify(index)}${withType ? ',"_type":"_doc"' : ''},"_id":${JSON.stringify(id)}`;
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

/** Renders a found or missing document as `GET /i/_doc/1` shows it. The bytes of the source are not parsed. */
export function documentChunks(index: string, id: string, result: messages.GetResult, withType: boolean): Uint8Array[] {
  const start = head(index, id, withType);
  if (!result.found) return [Buffer.from(`${start},"found":false}`)];
  const routing = result.routing === undefined ? '' : `,"_routing":${JSON.stringify(result.routing)}`;
  const ignored = result.ignored.length === 0 ? '' : `,"_ignored":${JSON.stringify(result.ignored)}`;
  const meta =
    `${start},"_version":${result.version},"_seq_no":${result.seqNo},"_primary_term":${result.primaryTerm}` +
    `${routing}${ignored},"found":true`;
  const fields = result.fields ? `,"fields":${text(result.fields)}` : '';
  if (!result.source) return [Buffer.from(`${meta}${fields}}`)];
  return [Buffer.from(meta + SOURCE_KEY), result.source, fields === '' ? CLOSE : Buffer.from(`${fields}}`)];
}
