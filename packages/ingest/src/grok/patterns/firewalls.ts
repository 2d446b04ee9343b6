const MACS =
  'MAC=(?:%{COMMONMAC:nf_dst_mac|destination.mac})?(?::%{COMMONMAC:nf_src_mac|source.mac})?(?::[A-Fa-f0-9:]+)?';
const IN = 'IN=(?:%{USERNAME:nf_in_interface|observer.ingress.interface.name})?';
const OUT = 'OUT=(?:%{USERNAME:nf_out_interface|observer.egress.interface.name})?';
const PORTS = 'SPT=%{INT:nf_src_port|source.port:int} DPT=%{INT:nf_dst_port|destination.port:int}';

/** Lines of NetScreen, and of the firewalls of Linux that log what netfilter sees. */
export const FIREWALLS = {
  NETSCREENSESSIONLOG:
    '%{SYSLOGTIMESTAMP:date|timestamp} %{IPORHOST:device|netscreen.session.hostname} %{IPORHOST}: ' +
    'NetScreen device_id=%{WORD:device_id|netscreen.device_id}%{DATA}: ' +
    'start_time=%{QUOTEDSTRING:start_time|netscreen.session.start_time} ' +
    'duration=%{INT:duration|netscreen.session.duration:int} policy_id=%{INT:policy_id|netscreen.policy_id} ' +
    'service=%{DATA:service|netscreen.service} proto=%{INT:proto|netscreen.protocol_number:int} ' +
    'src zone=%{WORD:src_zone|observer.ingress.zone} dst zone=%{WORD:dst_zone|observer.egress.zone} ' +
    'action=%{WORD:action|event.action} sent=%{INT:sent|source.bytes:int} rcvd=%{INT:rcvd|destination.bytes:int} ' +
    'src=%{IPORHOST:src_ip|source.address} dst=%{IPORHOST:dst_ip|destination.address}' +
    '(?: src_port=%{INT:src_port|source.port:int} dst_port=%{INT:dst_port|destination.port:int})?' +
    '(?: src-xlated ip=%{IPORHOST:src_xlated_ip|source.nat.ip} port=%{INT:src_xlated_port|source.nat.port:int} ' +
    'dst-xlated ip=%{IPORHOST:dst_xlated_ip|destination.nat.ip} port=' +
    '%{INT:dst_xlated_port|destination.nat.port:int})?' +
    '(?: session_id=%{INT:session_id|netscreen.session.id} reason=%{GREEDYDATA:reason|netscreen.session.reason})?',
  SHOREWALL:
    '(?:%{SYSLOGTIMESTAMP:timestamp|timestamp}) (?:%{WORD:nf_host|observer.hostname}) kernel:.*Shorewall:' +
    '(?:%{WORD:nf_action1|shorewall.firewall.type})?:(?:%{WORD:nf_action2|shorewall.firewall.action})?.*' +
    `${IN}(?: ${OUT})?(?: ${MACS})?(?: ${OUT})?.*` +
    'SRC=(?:%{IPV4:nf_src_ip|source.ip}).*DST=(?:%{IPV4:nf_dst_ip|destination.ip}).*LEN=(?:%{WORD:nf_len|}).*' +
    'TOS=(?:%{WORD:nf_tos|}).*PREC=(?:%{WORD:nf_prec|}).*TTL=(?:%{INT:nf_ttl|}).*ID=(?:%{INT:nf_id|}).*' +
    `PROTO=(?:%{WORD:nf_protocol|network.transport}).*${PORTS.replace(' ', '.*')}`,
  SFW2:
    '(?:(?:%{SYSLOGTIMESTAMP:|timestamp})|(?:%{TIMESTAMP_ISO8601:|timestamp}))\\s*%{HOSTNAME:|observer.hostname}.*?' +
    '(?:%{NAGIOSTIME} )?SFW2-(?:INext-)?%{NOTSPACE:nf_action|suse.firewall.action}\\s*' +
    `${IN}.*?${OUT}.*?(?:${MACS}.*?)?` +
    'SRC=%{IP:nf_src_ip|source.ip}.*?DST=%{IP:nf_dst_ip|destination.ip}.*?' +
    `PROTO=%{WORD:nf_protocol|network.transport}(?:.*?${PORTS})?`,
} as const;
