import { LIMIT_SETTINGS } from './limit-settings.js';
import { LOG_SETTINGS } from './log-settings.js';
import { connectionSettingRows } from './connection-setting-rows.js';
import type { NodeSetting } from './node-setting.js';
import { securitySettingRows } from './security-setting-rows.js';

export type { NodeSetting } from './node-setting.js';

/** Every setting of a node's configuration with its default; docs/settings.md is generated from this table. */
export const NODE_SETTINGS: readonly NodeSetting[] = [
  {
    name: 'cluster.name',
    kind: 'text',
    fallback: 'shoal',
    description: 'Name of the cluster; nodes only join a cluster of the same name.',
  },
  { name: 'node.name', kind: 'text', fallback: null, description: 'Name of the node; the host name when absent.' },
  {
    name: 'node.roles',
    kind: 'list',
    fallback:
      'master,data,data_content,data_hot,data_warm,data_cold,data_frozen,ingest,ml,remote_cluster_client,transform',
    description: 'What the node does; `[]` makes it coordinating only.',
  },
  {
    name: 'node.attr.*',
    kind: 'text',
    fallback: null,
    description: 'Attributes of the node for allocation awareness and filters.',
  },
  {
    name: 'node.processors',
    kind: 'integer',
    fallback: null,
    description: 'Processors to use; those of the machine when absent.',
  },
  { name: 'path.data', kind: 'text', fallback: 'data', description: 'Folder that holds everything the node keeps.' },
  {
    name: 'path.conf',
    kind: 'text',
    fallback: null,
    description:
      'Folder of certificates, keystore and users of the file realm; `config` inside `path.data` when absent.',
  },
  {
    name: 'shoal.geoip.path',
    kind: 'text',
    fallback: null,
    description:
      'Folder of the databases of the processor `geoip` (`*.mmdb`); `ingest-geoip` inside `path.conf` when absent. ' +
      'Files that change are read again.',
  },
  {
    name: 'path.repo',
    kind: 'list',
    fallback: null,
    description: 'Folders in which file-system snapshot repositories may be.',
  },
  {
    name: 'repositories.url.allowed_urls',
    kind: 'list',
    fallback: '',
    description:
      'Folders besides those of `path.repo` from which repositories of type `url` may be read: `file:/mnt/backup/*`.',
  },
  {
    name: 's3.client.*',
    kind: 'text',
    fallback: null,
    description:
      'How a repository of type `s3` reaches its store, as `s3.client.default.endpoint`: `endpoint`, `protocol`, ' +
      '`region`, `path_style_access`, `read_timeout`, `max_connections`, `max_retries`, `use_throttle_retries`, ' +
      '`proxy.host`, `proxy.port`, `proxy.scheme` ([backup-and-upgrade.md](backup-and-upgrade.md#in-an-object-store)).',
  },
  {
    name: 'network.host',
    kind: 'list',
    fallback: '_local_',
    description: 'Address to bind HTTP and transport to: `_local_`, `_site_`, `_global_`, an address or a host name.',
  },
  {
    name: 'network.bind_host',
    kind: 'list',
    fallback: null,
    description: 'Addresses to bind to; `network.host` when absent.',
  },
  {
    name: 'network.publish_host',
    kind: 'list',
    fallback: null,
    description: 'Address that other nodes are told; the bound one when absent.',
  },
  {
    name: 'http.host',
    kind: 'list',
    fallback: null,
    description: 'Addresses to bind HTTP to; `network.host` when absent.',
  },
  {
    name: 'http.bind_host',
    kind: 'list',
    fallback: null,
    description: 'Addresses to bind HTTP to; `http.host` when absent.',
  },
  { name: 'http.publish_host', kind: 'list', fallback: null, description: 'HTTP address shown in `_nodes`.' },
  {
    name: 'http.port',
    kind: 'port',
    fallback: '9200-9300',
    description: 'Port of the REST interface, or a range whose first free port is taken; 0 takes any free one.',
  },
  {
    name: 'http.publish_port',
    kind: 'port',
    fallback: null,
    description: 'HTTP port shown in `_nodes`; the bound one when absent.',
  },
  {
    name: 'http.max_content_length',
    kind: 'bytes',
    fallback: '100mb',
    description: 'Largest request body; beyond it the answer is 413.',
  },
  { name: 'http.max_initial_line_length', kind: 'bytes', fallback: '4kb', description: 'Longest request line.' },
  {
    name: 'http.max_header_size',
    kind: 'bytes',
    fallback: '16kb',
    description: 'Largest size of all headers of a request.',
  },
  {
    name: 'http.compression',
    kind: 'boolean',
    fallback: 'true',
    description: 'Compresses answers when the client accepts it.',
  },
  {
    name: 'shoal.http.allowed_hosts',
    kind: 'list',
    fallback: '',
    description:
      'Names of hosts, besides its own, that a node without security answers for: `search.example.org`, ' +
      '`*.example.org` or `*` ([security.md](security.md#web-pages)).',
  },
  {
    name: 'http.cors.enabled',
    kind: 'boolean',
    fallback: 'false',
    description: 'Whether web pages of other origins may call: answers carry the headers that browsers ask for.',
  },
  {
    name: 'http.cors.allow-origin',
    kind: 'text',
    fallback: '',
    description: 'Origins that may call: `*`, a list, or a `/regular expression/`.',
  },
  {
    name: 'http.cors.allow-methods',
    kind: 'list',
    fallback: 'OPTIONS,HEAD,GET,POST,PUT,DELETE',
    description: 'Methods that pages of other origins may use.',
  },
  {
    name: 'http.cors.allow-headers',
    kind: 'list',
    fallback: 'X-Requested-With,Content-Type,Content-Length,Authorization,Accept,User-Agent,X-Elastic-Client-Meta',
    description: 'Headers that pages of other origins may send.',
  },
  {
    name: 'http.cors.expose-headers',
    kind: 'list',
    fallback: 'X-elastic-product',
    description: 'Headers of answers that pages of other origins may read.',
  },
  {
    name: 'http.cors.allow-credentials',
    kind: 'boolean',
    fallback: 'false',
    description: 'Whether pages of other origins may send credentials.',
  },
  {
    name: 'http.cors.max-age',
    kind: 'integer',
    fallback: '1728000',
    description: 'Seconds that a browser may keep what a preflight told it.',
  },
  {
    name: 'http.detailed_errors.enabled',
    kind: 'boolean',
    fallback: 'true',
    description: 'Whether answers carry error objects rather than short texts.',
  },
  {
    name: 'transport.port',
    kind: 'port',
    fallback: '9300-9399',
    description: 'Port for elections and cluster states between nodes, or a range whose first free port is taken.',
  },
  {
    name: 'transport.data_port',
    kind: 'port',
    fallback: '9400-9499',
    description:
      'Port for requests on data and for recoveries between nodes, or a range whose first free port is taken.',
  },
  {
    name: 'transport.publish_host',
    kind: 'list',
    fallback: null,
    description:
      'Address that other nodes are told to reach this one at; `network.publish_host`, else the bound one, when ' +
      'absent.',
  },
  {
    name: 'transport.host',
    kind: 'list',
    fallback: null,
    description: 'Addresses to bind the transport to; `network.host` when absent.',
  },
  {
    name: 'discovery.type',
    kind: 'text',
    fallback: 'multi-node',
    description:
      'With `single-node`, or without `discovery.seed_hosts` and `cluster.initial_master_nodes`, the node is a ' +
      'cluster by itself and opens no transport port.',
    values: ['multi-node', 'single-node'],
  },
  {
    name: 'discovery.seed_hosts',
    kind: 'list',
    fallback: null,
    description:
      'Addresses (`host` or `host:port`) of nodes of the cluster; names are looked up again at each search. ' +
      'Without a port the first of `transport.port` is meant.',
  },
  {
    name: 'discovery.find_peers_interval',
    kind: 'time',
    fallback: '1s',
    description: 'Pause between searches for other nodes; the first second is searched faster.',
  },
  {
    name: 'cluster.initial_master_nodes',
    kind: 'list',
    fallback: null,
    description:
      'Names of the master-eligible nodes that form a new cluster; ignored by nodes that have been part of one.',
  },
  {
    name: 'cluster.election.initial_timeout',
    kind: 'time',
    fallback: '100ms',
    description: 'Upper bound of the first wait before an election.',
  },
  {
    name: 'cluster.election.back_off_time',
    kind: 'time',
    fallback: '100ms',
    description: 'Added to that bound by each election that fails.',
  },
  {
    name: 'cluster.election.max_timeout',
    kind: 'time',
    fallback: '10s',
    description: 'Largest wait before an election.',
  },
  {
    name: 'cluster.election.duration',
    kind: 'time',
    fallback: '500ms',
    description: 'How long an election may take before the next one.',
  },
  {
    name: 'cluster.fault_detection.follower_check.interval',
    kind: 'time',
    fallback: '1s',
    description: 'Pause between checks of each node by the elected master.',
  },
  {
    name: 'cluster.fault_detection.follower_check.timeout',
    kind: 'time',
    fallback: '3s',
    description: 'How long a check of a node may take.',
  },
  {
    name: 'cluster.fault_detection.follower_check.retry_count',
    kind: 'integer',
    fallback: '3',
    description: 'Failed checks in a row after which a node is removed.',
  },
  {
    name: 'cluster.fault_detection.leader_check.interval',
    kind: 'time',
    fallback: '1s',
    description: 'Pause between checks of the elected master by each node.',
  },
  {
    name: 'cluster.fault_detection.leader_check.timeout',
    kind: 'time',
    fallback: '3s',
    description: 'How long a check of the elected master may take.',
  },
  {
    name: 'cluster.fault_detection.leader_check.retry_count',
    kind: 'integer',
    fallback: '3',
    description: 'Failed checks in a row after which a node looks for another master.',
  },
  {
    name: 'cluster.publish.timeout',
    kind: 'time',
    fallback: '30s',
    description: 'How long a cluster state may take to reach a quorum.',
  },
  {
    name: 'cluster.follower_lag.timeout',
    kind: 'time',
    fallback: '90s',
    description: 'How much longer a node may take to apply a state before it is removed.',
  },
  {
    name: 'gateway.expected_data_nodes',
    kind: 'integer',
    fallback: null,
    description: 'Started as a whole, a cluster places copies at once when so many data nodes are there.',
  },
  {
    name: 'gateway.recover_after_data_nodes',
    kind: 'integer',
    fallback: null,
    description:
      'Started as a whole, a cluster places no copies and refuses requests for data with fewer data nodes than this.',
  },
  {
    name: 'gateway.recover_after_time',
    kind: 'time',
    fallback: null,
    description:
      'How long a cluster that was started as a whole waits for the expected data nodes; 5 minutes when a number ' +
      'of them is set, else not at all.',
  },
  {
    name: 'cluster.auto_shrink_voting_configuration',
    kind: 'boolean',
    fallback: 'true',
    description: 'Whether voters that leave are taken out of the voting configuration, down to three.',
  },
  {
    name: 'dashboard.enabled',
    kind: 'boolean',
    fallback: 'false',
    description: 'Serves the pages for browsers ([dashboard.md](dashboard.md)) from a thread of the node.',
  },
  {
    name: 'dashboard.host',
    kind: 'text',
    fallback: 'localhost',
    description: 'Address or host name that the pages are served on.',
  },
  { name: 'dashboard.port', kind: 'port', fallback: '5601', description: 'Port that the pages are served on.' },
  ...securitySettingRows,
  ...connectionSettingRows,
  {
    name: 'xpack.license.self_generated.type',
    kind: 'text',
    fallback: 'basic',
    description: 'Accepted for compatibility; everything works without a licence.',
    values: ['basic', 'trial'],
  },
  {
    name: 'xpack.ml.enabled',
    kind: 'boolean',
    fallback: 'false',
    description: 'Machine learning; only `false` is available in this version.',
    values: ['false'],
  },
  {
    name: 'bootstrap.memory_lock',
    kind: 'boolean',
    fallback: 'false',
    description: 'Accepted for compatibility; the process keeps within its memory budget and locks nothing.',
  },
  {
    name: 'shoal.ml.alerts.allowed_hosts',
    kind: 'list',
    fallback: '',
    description:
      'Hosts that alerts of machine learning jobs may be posted to: `host:port`, with `*` for any characters. ' +
      'Empty: none.',
  },
  {
    name: 'reindex.remote.whitelist',
    kind: 'list',
    fallback: '',
    description: 'Clusters that `_reindex` may copy from: `host:port`, with `*` for any characters. Empty: none.',
  },
  {
    name: 'reindex.ssl.certificate_authorities',
    kind: 'list',
    fallback: '',
    description: 'PEM files of the authorities that `_reindex` trusts; those of the system when empty.',
  },
  {
    name: 'reindex.ssl.verification_mode',
    kind: 'text',
    fallback: 'full',
    description:
      'What `_reindex` checks of certificates: all (`full`), not the host name (`certificate`), nothing (`none`).',
    values: ['full', 'certificate', 'none'],
  },
  {
    name: 'action.auto_create_index',
    kind: 'text',
    fallback: 'true',
    description: 'Whether writes create missing indices: true, false or a list of patterns with + and -.',
  },
  {
    name: 'action.destructive_requires_name',
    kind: 'boolean',
    fallback: 'true',
    description: 'Refuses wildcards and `_all` in calls that destroy.',
  },
  {
    name: 'memory.limit',
    kind: 'bytes',
    fallback: null,
    description:
      'Memory budget of the whole process. Taken from `-Xmx` in `ES_JAVA_OPTS`, else 512mb, or 85 % of what the ' +
      'container may use if that is less.',
  },
  {
    name: 'indices.memory.index_buffer_size',
    kind: 'bytes-or-percent',
    fallback: '12%',
    description: 'Share of the memory budget for documents that are not in a segment yet, over all shards.',
  },
  {
    name: 'shoal.block_cache.size',
    kind: 'bytes-or-percent',
    fallback: '15%',
    description: 'Share of the memory budget for blocks of segments, over all shards.',
  },
  {
    name: 'xpack.searchable.snapshot.shared_cache.size',
    kind: 'bytes-or-percent',
    fallback: '1gb',
    description:
      'Space on disk, or share of the disk, for files of snapshots that indices mounted with `shared_cache` read.',
  },
  {
    name: 'shoal.shard_threads',
    kind: 'integer',
    fallback: null,
    description:
      'Threads that hold shards. When absent: one less than processors; with two processors or fewer 0, which ' +
      'keeps the shards on the main thread.',
  },
  {
    name: 'shoal.search_threads',
    kind: 'integer',
    fallback: '0',
    description:
      'Threads that run large searches of sealed segments beside the main thread, 8 at most, where the shards are on ' +
      'the main thread and there are two processors at least; 0 for none.',
  },
  {
    name: 'indices.breaker.request.limit',
    kind: 'bytes-or-percent',
    fallback: '25%',
    description: 'Share of the memory budget that running searches may hold; a search that would go over it gets 429.',
  },
  ...LOG_SETTINGS,
  ...LIMIT_SETTINGS,
];
