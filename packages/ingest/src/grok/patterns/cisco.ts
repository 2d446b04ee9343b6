/** `%{PATTERN:legacy|ecs}` of the ends of a connection. */
const ACTION = '%{CISCO_ACTION:action|cisco.asa.outcome}';
const DIRECTION = '%{CISCO_DIRECTION:direction|cisco.asa.network.direction}';
const PROTOCOL = '%{WORD:protocol|cisco.asa.network.transport}';
const REASON = '%{CISCO_REASON:reason|event.reason}';
const SRC_IP = '%{IP:src_ip|source.ip}';
const SRC = `${SRC_IP}/%{INT:src_port|source.port:int}`;
const DST_IP = '%{IP:dst_ip|destination.ip}';
const DST = `${DST_IP}/%{INT:dst_port|destination.port:int}`;
const SRC_INTERFACE = '%{DATA:src_interface|observer.ingress.interface.name}';
const DST_INTERFACE = '%{DATA:dst_interface|observer.egress.interface.name}';
const SRC_USER = '(?:\\(%{DATA:src_fwuser|source.user.name}\\))?';
const DST_USER = '(?:\\(%{DATA:dst_fwuser|destination.user.name}\\))?';
const INTERFACE = '%{GREEDYDATA:interface|observer.ingress.interface.name}';
const HASHES = '\\[%{DATA:hashcode1|}, %{DATA:hashcode2|}\\]';
const POLICY = '%{DATA:policy_id|cisco.asa.rule_name}';
const ICMP = 'type %{INT:icmp_type|cisco.asa.icmp_type:int}, code %{INT:icmp_code|cisco.asa.icmp_code:int}';
const SPI = '%{DATA:spi|cisco.asa.ipsec.spi}';
const PEERS = `${SRC_IP} \\(user= %{DATA:user|source.user.name}\\) to ${DST_IP}`;
const HITS = 'hit-cnt %{INT:hit_count|cisco.asa.hit_count:int} %{CISCO_INTERVAL:interval|cisco.asa.interval}';

/** Messages about the pair of devices of a failover. */
const FAILOVER = {
  CISCOFW104001: '\\((?:Primary|Secondary)\\) Switching to ACTIVE - %{GREEDYDATA:switch_reason|event.reason}',
  CISCOFW104002: '\\((?:Primary|Secondary)\\) Switching to STANDBY - %{GREEDYDATA:switch_reason|event.reason}',
  CISCOFW104003: '\\((?:Primary|Secondary)\\) Switching to FAILED\\.',
  CISCOFW104004: '\\((?:Primary|Secondary)\\) Switching to OK\\.',
  CISCOFW105003:
    '\\((?:Primary|Secondary)\\) Monitoring on [Ii]nterface %{GREEDYDATA:interface_name|network.interface.name} ' +
    'waiting',
  CISCOFW105004:
    '\\((?:Primary|Secondary)\\) Monitoring on [Ii]nterface %{GREEDYDATA:interface_name|network.interface.name} normal',
  CISCOFW105005:
    '\\((?:Primary|Secondary)\\) Lost Failover communications with mate on [Ii]nterface ' +
    '%{GREEDYDATA:interface_name|network.interface.name}',
  CISCOFW105008: '\\((?:Primary|Secondary)\\) Testing [Ii]nterface %{GREEDYDATA:interface_name|network.interface.name}',
  CISCOFW105009:
    '\\((?:Primary|Secondary)\\) Testing on [Ii]nterface %{GREEDYDATA:interface_name|network.interface.name} ' +
    '(?:Passed|Failed)',
} as const;

/** Messages about packets that were let through or refused. */
const ACCESS = {
  CISCOFW106001:
    `${DIRECTION} ${PROTOCOL} connection ${ACTION} from ${SRC} to ${DST} ` +
    `flags %{GREEDYDATA:tcp_flags|cisco.asa.tcp_flags} on interface ${INTERFACE}`,
  CISCOFW106006_106007_106010:
    `${ACTION} ${DIRECTION} ${PROTOCOL} (?:from|src) ${SRC}${SRC_USER} (?:to|dst) ${DST}${DST_USER} ` +
    `(?:on interface %{DATA:interface|observer.ingress.interface.name}|due to ${REASON})`,
  CISCOFW106014:
    `${ACTION} ${DIRECTION} ${PROTOCOL} src ${SRC_INTERFACE}:${SRC_IP}${SRC_USER} ` +
    `dst ${DST_INTERFACE}:${DST_IP}${DST_USER} \\(${ICMP}\\)`,
  CISCOFW106015:
    `${ACTION} ${PROTOCOL} \\(${POLICY}\\) from ${SRC} to ${DST} ` +
    `flags %{DATA:tcp_flags|cisco.asa.tcp_flags} on interface ${INTERFACE}`,
  CISCOFW106021: `${ACTION} ${PROTOCOL} reverse path check from ${SRC_IP} to ${DST_IP} on interface ${INTERFACE}`,
  CISCOFW106023:
    `${ACTION}(?: protocol)? ${PROTOCOL} src ${SRC_INTERFACE}:%{DATA:src_ip|source.ip}` +
    `(?:/%{INT:src_port|source.port:int})?${SRC_USER} dst ${DST_INTERFACE}:%{DATA:dst_ip|destination.ip}` +
    `(?:/%{INT:dst_port|destination.port:int})?${DST_USER}(?: \\(${ICMP}\\))? ` +
    `by access-group "?${POLICY}"? ${HASHES}`,
  CISCOFW106100_2_3:
    `access-list %{NOTSPACE:policy_id|cisco.asa.rule_name} ${ACTION} ${PROTOCOL} for user ` +
    `'%{DATA:src_fwuser|user.name}' ${SRC_INTERFACE}/${SRC_IP}\\(%{INT:src_port|source.port:int}\\) -> ` +
    `${DST_INTERFACE}/${DST_IP}\\(%{INT:dst_port|destination.port:int}\\) ${HITS} ${HASHES}`,
  CISCOFW106100:
    `access-list %{NOTSPACE:policy_id|cisco.asa.rule_name} ${ACTION} ${PROTOCOL} ` +
    `${SRC_INTERFACE}/${SRC_IP}\\(%{INT:src_port|source.port:int}\\)${SRC_USER} -> ` +
    `${DST_INTERFACE}/${DST_IP}\\(%{INT:dst_port|destination.port:int}\\)` +
    `(?:\\(%{DATA:src_fwuser|destination.user.name}\\))? ${HITS} ${HASHES}`,
  CISCOFW304001: `${SRC_IP}${SRC_USER} Accessed URL ${DST_IP}:%{GREEDYDATA:dst_url|url.original}`,
  CISCOFW110002: `${REASON} for ${PROTOCOL} from ${SRC_INTERFACE}:${SRC} to ${DST}`,
  CISCOFW313001_313004_313008:
    `${ACTION} ${PROTOCOL} type=%{INT:icmp_type|cisco.asa.icmp_type:int}, ` +
    `code=%{INT:icmp_code|cisco.asa.icmp_code:int} from ${SRC_IP} on interface ` +
    `%{DATA:interface|observer.ingress.interface.name}(?: to ${DST_IP})?`,
  CISCOFW313005:
    `${REASON} for ${PROTOCOL} error message: %{WORD:err_protocol|cisco.asa.original.network.transport} ` +
    'src %{DATA:err_src_interface|observer.ingress.interface.name}:%{IP:err_src_ip|source.ip}' +
    '(?:\\(%{DATA:err_src_fwuser|source.user.name}\\))? dst %{DATA:err_dst_interface|observer.egress.interface.name}:' +
    '%{IP:err_dst_ip|destination.ip}(?:\\(%{DATA:err_dst_fwuser|destination.user.name}\\))? ' +
    '\\(type %{INT:err_icmp_type|cisco.asa.icmp_type:int}, code %{INT:err_icmp_code|cisco.asa.icmp_code:int}\\) on ' +
    '%{DATA:interface|cisco.asa.interface} interface\\.  Original IP payload: ' +
    '%{WORD:protocol|cisco.asa.original.transport} src %{IP:orig_src_ip|cisco.asa.original.source.ip}/' +
    '%{INT:orig_src_port|cisco.asa.original.source.port:int}(?:\\(' +
    '%{DATA:orig_src_fwuser|cisco.asa.original.source.user.name}\\))? ' +
    'dst %{IP:orig_dst_ip|cisco.asa.original.destination.ip}/' +
    '%{INT:orig_dst_port|cisco.asa.original.destination.port:int}' +
    '(?:\\(%{DATA:orig_dst_fwuser|cisco.asa.original.destination.user.name}\\))?',
  CISCOFW419001:
    `${ACTION} ${PROTOCOL} packet from ${SRC_INTERFACE}:${SRC} to ${DST_INTERFACE}:${DST}, ` +
    'reason: %{GREEDYDATA:reason|event.reason}',
  CISCOFW419002:
    `${REASON} from ${SRC_INTERFACE}:${SRC} to ${DST_INTERFACE}:${DST} with different initial ` + `sequence number`,
  CISCOFW500004: `${REASON} for protocol: ${PROTOCOL}, from ${SRC} to ${DST}`,
  CISCOFW710001_710002_710003_710005_710006:
    `${PROTOCOL} (?:request|access) ${ACTION} from ${SRC} to ` + `${DST_INTERFACE}:${DST}`,
} as const;

/** Messages about connections, translations, tunnels and resources. */
const CONNECTIONS = {
  CISCOFW302010:
    '%{INT:connection_count|cisco.asa.connections.in_use:int} in use, ' +
    '%{INT:connection_count_max|cisco.asa.connections.most_used:int} most used',
  CISCOFW302013_302014_302015_302016:
    `${ACTION}(?: ${DIRECTION})? ${PROTOCOL} connection %{INT:connection_id|cisco.asa.connection_id} for ` +
    `${SRC_INTERFACE}:${SRC}(?: \\(%{IP:src_mapped_ip|source.nat.ip}/` +
    `%{INT:src_mapped_port|source.nat.port:int}\\))?${SRC_USER} ` +
    `to ${DST_INTERFACE}:${DST}(?: \\(%{IP:dst_mapped_ip|destination.nat.ip}/` +
    `%{INT:dst_mapped_port|destination.nat.port:int}\\))?` +
    `${DST_USER}(?: duration %{TIME:duration|cisco.asa.duration} bytes %{INT:bytes|network.bytes:int})?` +
    `(?: ${REASON})?(?: \\(%{DATA:user|user.name}\\))?`,
  CISCOFW302020_302021:
    `${ACTION}(?: ${DIRECTION})? ${PROTOCOL} connection for faddr ${DST_IP}/` +
    '%{INT:icmp_seq_num|cisco.asa.icmp_seq:int}(?:\\(%{DATA:fwuser|destination.user.name}\\))? ' +
    'gaddr %{IP:src_xlated_ip|source.nat.ip}/%{INT:icmp_code_xlated|cisco.asa.icmp_type:int} ' +
    `laddr ${SRC_IP}/%{INT:icmp_code|}(?: \\(%{DATA:user|source.user.name}\\))?`,
  CISCOFW305011:
    `${ACTION} %{CISCO_XLATE_TYPE:xlate_type|cisco.asa.network.type} ${PROTOCOL} translation from ` +
    `${SRC_INTERFACE}:${SRC_IP}(?:/%{INT:src_port|source.port:int})?${SRC_USER} to ` +
    '%{DATA:src_xlated_interface|observer.egress.interface.name}:%{IP:src_xlated_ip|source.nat.ip}/' +
    '%{INT:src_xlated_port|source.nat.port:int}',
  CISCOFW321001:
    "Resource '%{WORD:resource_name|cisco.asa.resource.name}' limit of " +
    '%{POSINT:resource_limit|cisco.asa.resource.limit:int} reached for system',
  CISCOFW402117:
    `${PROTOCOL}: Received a non-IPSec packet \\(protocol= ?%{WORD:orig_protocol|cisco.asa.original.transport}\\) ` +
    `from ${SRC_IP} to ${DST_IP}`,
  CISCOFW402119:
    `${PROTOCOL}: Received an %{WORD:orig_protocol|cisco.asa.ipsec.protocol} packet \\(SPI= ?${SPI}, ` +
    `sequence number= ?%{DATA:seq_num|cisco.asa.ipsec.seq_num}\\) from ${PEERS} that failed anti-replay checking`,
  CISCOFW602303_602304:
    `${PROTOCOL}: An ${DIRECTION} %{GREEDYDATA:tunnel_type|cisco.asa.ipsec.tunnel_type} SA \\(SPI= ?${SPI}\\) ` +
    `between ${SRC_IP} and ${DST_IP} \\(user= ?%{DATA:user|source.user.name}\\) has been ${ACTION}`,
  CISCOFW713172:
    'Group = %{GREEDYDATA:group|cisco.asa.source.group}, IP = %{IP:src_ip|source.ip}, ' +
    'Automatic NAT Detection Status:\\s+Remote end\\s*%{DATA:is_remote_natted|}\\s*behind a NAT device\\s+' +
    'This\\s+end\\s*%{DATA:is_local_natted|}\\s*behind a NAT device',
  CISCOFW733100:
    '\\[\\s*%{DATA:drop_type|cisco.asa.burst.object}\\s*\\] drop %{DATA:drop_rate_id|cisco.asa.burst.id} exceeded. ' +
    'Current burst rate is %{INT:drop_rate_current_burst|cisco.asa.burst.current_rate:int} per second, ' +
    'max configured rate is %{INT:drop_rate_max_burst|cisco.asa.burst.configured_rate:int}; ' +
    'Current average rate is %{INT:drop_rate_current_avg|cisco.asa.burst.avg_rate:int} per second, ' +
    'max configured rate is %{INT:drop_rate_max_avg|cisco.asa.burst.configured_avg_rate:int}; ' +
    'Cumulative total count is %{INT:drop_total_count|cisco.asa.burst.cumulative_count:int}',
} as const;

/** Messages of Cisco's ASA, by their numbers, and their heads. */
export const CISCO = {
  CISCO_TAGGED_SYSLOG:
    '^<%{POSINT:syslog_pri|log.syslog.priority:int}>%{CISCOTIMESTAMP:timestamp|timestamp}' +
    '(?: %{SYSLOGHOST:sysloghost|host.hostname})? ?: %%{CISCOTAG:ciscotag|cisco.asa.tag}:',
  CISCOTIMESTAMP: '%{MONTH} +%{MONTHDAY}(?: %{YEAR})? %{TIME}',
  CISCOTAG: '[A-Z0-9]+-%{INT}-(?:[A-Z0-9_]+)',
  CISCO_ACTION:
    'Built|Teardown|Deny|Denied|denied|requested|permitted|denied by ' +
    'ACL|discarded|est-allowed|Dropping|created|deleted',
  CISCO_REASON:
    'Duplicate TCP SYN|Failed to locate egress interface|Invalid transport field|No matching connection|' +
    'DNS Response|DNS Query|(?:%{WORD}\\s*)*',
  CISCO_DIRECTION: '[Ii]nbound|[Ii]nbound \\(from|[Oo]utbound',
  CISCO_INTERVAL: 'first hit|%{INT}-second interval',
  CISCO_XLATE_TYPE: 'static|dynamic',
  ...FAILOVER,
  ...ACCESS,
  ...CONNECTIONS,
} as const;
