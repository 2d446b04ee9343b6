const CLIENT =
  '%{IP:client_ip|source.ip}:%{INT:client_port|source.port:int} \\[%{HAPROXYDATE:accept_date|haproxy.request_date}\\]';
const NAMES =
  '%{NOTSPACE:frontend_name|haproxy.frontend_name} %{NOTSPACE:backend_name|haproxy.backend_name}/' +
  '%{NOTSPACE:server_name|haproxy.server_name}';
const CONNECTIONS =
  '%{INT:actconn|haproxy.connections.active:int}/%{INT:feconn|haproxy.connections.frontend:int}/' +
  '%{INT:beconn|haproxy.connections.backend:int}/%{INT:srvconn|haproxy.connections.server:int}/' +
  '%{NOTSPACE:retries|haproxy.connections.retries:int} ' +
  '%{INT:srv_queue|haproxy.server_queue:int}/%{INT:backend_queue|haproxy.backend_queue:int}';
const HEAD =
  '(?:%{SYSLOGTIMESTAMP:syslog_timestamp|timestamp}|%{TIMESTAMP_ISO8601:timestamp8601|timestamp}) ' +
  '%{IPORHOST:syslog_server|host.hostname} %{SYSLOGPROG}:';

/** Lines of HAProxy, for HTTP and for TCP. */
export const HAPROXY = {
  HAPROXYTIME: '%{HOUR:haproxy_hour|}:%{MINUTE:haproxy_minute|}(?::%{SECOND:haproxy_second|})',
  HAPROXYDATE:
    '%{MONTHDAY:haproxy_monthday|}/%{MONTH:haproxy_month|}/%{YEAR:haproxy_year|}:' +
    '%{HAPROXYTIME:haproxy_time|}\\.%{INT:haproxy_milliseconds|}',
  HAPROXYCAPTUREDREQUESTHEADERS: '%{DATA:captured_request_headers|haproxy.http.request.captured_headers}',
  HAPROXYCAPTUREDRESPONSEHEADERS: '%{DATA:captured_response_headers|haproxy.http.response.captured_headers}',
  HAPROXYHTTPBASE:
    `${CLIENT} ${NAMES} ` +
    '%{INT:time_request|haproxy.http.request.time_wait_ms:int}/%{INT:time_queue|haproxy.total_waiting_time_ms:int}/' +
    '%{INT:time_backend_connect|haproxy.connection_wait_time_ms:int}/' +
    '%{INT:time_backend_response|haproxy.http.request.time_wait_without_data_ms:int}/' +
    '%{NOTSPACE:time_duration|haproxy.time_duration} %{INT:http_status_code|http.response.status_code:int} ' +
    '%{NOTSPACE:bytes_read|source.bytes} %{DATA:captured_request_cookie|haproxy.http.request.captured_cookie} ' +
    '%{DATA:captured_response_cookie|haproxy.http.response.captured_cookie} ' +
    `%{NOTSPACE:termination_state|haproxy.termination_state} ${CONNECTIONS} ` +
    '(?:\\{%{HAPROXYCAPTUREDREQUESTHEADERS}\\})?(?: )?(?:\\{%{HAPROXYCAPTUREDRESPONSEHEADERS}\\})?(?: )?' +
    '"(?:<BADREQ>|(?:%{WORD:http_verb|http.request.method} ' +
    '(?:%{URIPROTO:http_proto|url.scheme}://)?(?:%{USER:http_user|url.username}(?::[^@]*)?@)?' +
    '(?:%{URIHOST:http_host|url.domain})?(?:%{URIPATHPARAM:http_request|url.original})?' +
    '(?: HTTP/%{NUMBER:http_version|http.version})?))?"?',
  HAPROXYHTTP: `${HEAD} %{HAPROXYHTTPBASE}`,
  HAPROXYTCP:
    `${HEAD} ${CLIENT} ${NAMES} ` +
    '%{INT:time_queue|haproxy.total_waiting_time_ms:int}/' +
    '%{INT:time_backend_connect|haproxy.connection_wait_time_ms:int}/' +
    '%{NOTSPACE:time_duration|haproxy.time_duration} %{NOTSPACE:bytes_read|source.bytes} ' +
    `%{NOTSPACE:termination_state|haproxy.termination_state} ${CONNECTIONS}`,
} as const;
