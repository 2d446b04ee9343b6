/** A column of a log: pattern, name of the legacy bank, name of the Elastic Common Schema. */
type Column = readonly [pattern: string, legacy: string, ecs: string];

/** Columns with tabs between them. */
function columns(...all: readonly Column[]): string {
  // Lazy, so that each column ends at the next tab without trying the others.
  const last = all.length - 1;
  const lazy = (pattern: string, i: number): string => (pattern === 'GREEDYDATA' && i < last ? 'DATA' : pattern);
  return all.map(([pattern, legacy, ecs], i) => `%{${lazy(pattern, i)}:${legacy}|${ecs}}`).join('\\t');
}

const CONNECTION: readonly Column[] = [
  ['NUMBER', 'ts', 'timestamp'],
  ['NOTSPACE', 'uid', 'zeek.session_id'],
  ['IP', 'orig_h', 'source.ip'],
  ['INT', 'orig_p', 'source.port:int'],
  ['IP', 'resp_h', 'destination.ip'],
  ['INT', 'resp_p', 'destination.port:int'],
];

const rest = (prefix: string, ...names: readonly string[]): Column[] =>
  names.map((name) => ['GREEDYDATA', name, `${prefix}.${name.toLowerCase()}`]);

/** Logs of Zeek, which was called Bro: its columns of connections, HTTP, DNS and files. */
export const ZEEK: Readonly<Record<string, string>> = {
  BRO_HTTP: columns(
    ...CONNECTION,
    ['INT', 'trans_depth', 'zeek.http.trans_depth:int'],
    ['GREEDYDATA', 'method', 'http.request.method'],
    ['GREEDYDATA', 'domain', 'url.domain'],
    ['GREEDYDATA', 'uri', 'url.original'],
    ['GREEDYDATA', 'referrer', 'http.request.referrer'],
    ['GREEDYDATA', 'user_agent', 'user_agent.original'],
    ['NUMBER', 'request_body_len', 'http.request.body.bytes:int'],
    ['NUMBER', 'response_body_len', 'http.response.body.bytes:int'],
    ['GREEDYDATA', 'status_code', 'http.response.status_code:int'],
    ...rest('zeek.http', 'status_msg', 'info_code', 'info_msg', 'filename', 'bro_tags'),
    ['GREEDYDATA', 'username', 'url.username'],
    ['GREEDYDATA', 'password', 'url.password'],
    ...rest('zeek.http', 'proxied', 'orig_fuids', 'orig_mime_types', 'resp_fuids', 'resp_mime_types'),
  ),
  BRO_DNS: columns(
    ...CONNECTION,
    ['WORD', 'proto', 'network.transport'],
    ['INT', 'trans_id', 'dns.id:int'],
    ['GREEDYDATA', 'query', 'dns.question.name'],
    ...rest('zeek.dns', 'qclass', 'qclass_name', 'qtype', 'qtype_name', 'rcode', 'rcode_name'),
    ...rest('zeek.dns', 'AA', 'TC', 'RD', 'RA', 'Z', 'answers', 'TTLs', 'rejected'),
  ),
  BRO_CONN: columns(
    ...CONNECTION,
    ['WORD', 'proto', 'network.transport'],
    ['GREEDYDATA', 'service', 'network.protocol'],
    ['NUMBER', 'duration', 'zeek.connection.duration:float'],
    ['NUMBER', 'orig_bytes', 'source.bytes:int'],
    ['NUMBER', 'resp_bytes', 'destination.bytes:int'],
    ...rest('zeek.connection', 'conn_state', 'local_orig', 'missed_bytes', 'history', 'orig_pkts', 'orig_ip_bytes'),
    ...rest('zeek.connection', 'resp_pkts', 'resp_ip_bytes', 'tunnel_parents'),
  ),
  BRO_FILES: columns(
    ['NUMBER', 'ts', 'timestamp'],
    ['NOTSPACE', 'fuid', 'zeek.files.fuid'],
    ['IP', 'tx_hosts', 'server.ip'],
    ['IP', 'rx_hosts', 'client.ip'],
    ['NOTSPACE', 'conn_uids', 'zeek.files.session_ids'],
    ...rest('zeek.files', 'source', 'depth', 'analyzers'),
    ['GREEDYDATA', 'mime_type', 'file.mime_type'],
    ['GREEDYDATA', 'filename', 'file.name'],
    ...rest('zeek.files', 'duration', 'local_orig', 'is_orig', 'seen_bytes', 'total_bytes', 'missing_bytes'),
    ...rest('zeek.files', 'overflow_bytes', 'timedout', 'parent_fuid'),
    ['GREEDYDATA', 'md5', 'file.hash.md5'],
    ['GREEDYDATA', 'sha1', 'file.hash.sha1'],
    ['GREEDYDATA', 'sha256', 'file.hash.sha256'],
    ...rest('zeek.files', 'extracted'),
  ),
};
