const FLOW =
  '%{IP:src-ip|source.ip}/%{INT:src-port|source.port:int}->%{IP:dst-ip|destination.ip}/' +
  '%{INT:dst-port|destination.port:int} ' +
  '%{DATA:service|juniper.srx.service_name}';
const NAT =
  '%{IP:nat-src-ip|source.nat.ip}/%{INT:nat-src-port|source.nat.port:int}->' +
  '%{IP:nat-dst-ip|destination.nat.ip}/%{INT:nat-dst-port|destination.nat.port:int} ' +
  '(?:(?:%{DATA:src-nat-rule-name|juniper.srx.src_nat_rule_name})) ' +
  '(?:(?:%{DATA:dst-nat-rule-name|juniper.srx.dst_nat_rule_name}))';
const POLICY =
  '%{INT:protocol-id|juniper.srx.protocol_id} %{DATA:policy-name|juniper.srx.policy_name} ' +
  '%{DATA:from-zone|observer.ingress.zone} %{DATA:to-zone|observer.egress.zone}';
const EVENT = '%{RT_FLOW_EVENT:event|juniper.srx.tag}';

/** Sessions of Juniper's Junos: closed, created, denied. */
export const JUNOS = {
  RT_FLOW_EVENT: '(?:RT_FLOW_SESSION_CREATE|RT_FLOW_SESSION_CLOSE|RT_FLOW_SESSION_DENY)',
  RT_FLOW1:
    `${EVENT}: %{GREEDYDATA:close-reason|juniper.srx.reason}: ${FLOW} ${NAT} ${POLICY} ` +
    '%{INT:session-id|juniper.srx.session_id} \\d+\\(%{DATA:sent|source.bytes:int}\\) ' +
    '\\d+\\(%{DATA:received|destination.bytes:int}\\) %{INT:elapsed-time|juniper.srx.elapsed_time:int} .*',
  RT_FLOW2: `${EVENT}: session created ${FLOW} ${NAT} ${POLICY} %{INT:session-id|juniper.srx.session_id} .*`,
  // Behind the number of the protocol stands the type of an ICMP message.
  RT_FLOW3: `${EVENT}: session denied ${FLOW} ${POLICY.replace(' ', '\\(\\d+\\) ')} .*`,
} as const;
