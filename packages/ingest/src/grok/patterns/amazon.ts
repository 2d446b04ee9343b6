/** Logs of S3, of Elastic Load Balancing and of CloudFront (tabs between the columns of its web distributions). */
export const AMAZON = {
  S3_REQUEST_LINE:
    '(?:%{WORD:verb|http.request.method} %{NOTSPACE:request|url.original}' +
    '(?: HTTP/%{NUMBER:httpversion|http.version})?|%{DATA:rawrequest|})',
  S3_ACCESS_LOG:
    '%{WORD:owner|aws.s3access.bucket_owner} %{NOTSPACE:bucket|aws.s3access.bucket} \\[' +
    '%{HTTPDATE:timestamp|timestamp}\\] ' +
    '(?:-|%{IP:clientip|client.ip}) (?:-|%{NOTSPACE:requester|client.user.id}) ' +
    '%{NOTSPACE:request_id|aws.s3access.request_id} %{NOTSPACE:operation|aws.s3access.operation} ' +
    '(?:(?=- )%{NOTSPACE:key|}|%{NOTSPACE:key|aws.s3access.key}) (?:"%{S3_REQUEST_LINE}"|-) ' +
    '(?:-|%{INT:response:int|http.response.status_code:int}) (?:-|%{NOTSPACE:error_code|aws.s3access.error_code}) ' +
    '(?:-|%{INT:bytes:int|aws.s3access.bytes_sent:int}) (?:-|%{INT:object_size:int|aws.s3access.object_size:int}) ' +
    '(?:-|%{INT:request_time_ms:int|aws.s3access.total_time:int}) ' +
    '(?:-|%{INT:turnaround_time_ms:int|aws.s3access.turn_around_time:int}) ' +
    '(?:%{QS:referrer|http.request.referrer}|-) (?:"?%{QS:agent|user_agent.original}"?|-) ' +
    '(?:-|%{NOTSPACE:version_id|aws.s3access.version_id})',
  ELB_URIPATHPARAM: '%{URIPATH:path|url.path}(?:%{URIPARAM:params|url.query})?',
  ELB_URI:
    '%{URIPROTO:proto|url.scheme}://(?:%{USER}(?::[^@]*)?@)?(?:%{URIHOST:urihost|url.domain})?(?:%{ELB_URIPATHPARAM})?',
  ELB_REQUEST_LINE:
    '(?:%{WORD:verb|http.request.method} %{ELB_URI:request|url.original}' +
    '(?: HTTP/%{NUMBER:httpversion|http.version})?|%{DATA:rawrequest|})',
  ELB_ACCESS_LOG:
    '%{TIMESTAMP_ISO8601:timestamp|timestamp} %{NOTSPACE:elb|aws.elb.name} ' +
    '%{IP:clientip|source.ip}:%{INT:clientport:int|source.port:int} ' +
    '(?:%{IP:backendip|aws.elb.backend.ip}:?:%{INT:backendport:int|aws.elb.backend.port:int}|-) ' +
    '%{NUMBER:request_processing_time:float|aws.elb.request_processing_time.sec:float} ' +
    '%{NUMBER:backend_processing_time:float|aws.elb.backend_processing_time.sec:float} ' +
    '%{NUMBER:response_processing_time:float|aws.elb.response_processing_time.sec:float} ' +
    '(?:-|%{INT:response:int|http.response.status_code:int}) ' +
    '(?:-|%{INT:backend_response:int|aws.elb.backend.http.response.status_code:int}) ' +
    '%{INT:received_bytes:int|http.request.body.size:int} %{INT:bytes:int|http.response.body.size:int} "' +
    '%{ELB_REQUEST_LINE}"',
  CLOUDFRONT_ACCESS_LOG:
    '(?<timestamp|timestamp>%{YEAR}-%{MONTHNUM}-%{MONTHDAY}\\t%{TIME})\\t' +
    '%{WORD:x_edge_location|aws.cloudfront.x_edge_location}\\t(?:%{NUMBER:sc_bytes:int|destination.bytes:int}|-)\\t' +
    '%{IPORHOST:clientip|source.address}\\t%{WORD:cs_method|http.request.method}\\t%{HOSTNAME:cs_host|url.domain}\\t' +
    '%{NOTSPACE:cs_uri_stem|url.path}\\t%{NUMBER:sc_status:int|http.response.status_code:int}\\t' +
    '%{DATA:referrer|http.request.referrer}\\t%{DATA:agent|user_agent.original}\\t' +
    '%{DATA:cs_uri_query|url.query}\\t%{DATA:cookies|aws.cloudfront.http.request.cookie}\\t' +
    '%{WORD:x_edge_result_type|aws.cloudfront.x_edge_result_type}\\t' +
    '%{NOTSPACE:x_edge_request_id|aws.cloudfront.x_edge_request_id}\\t' +
    '%{HOSTNAME:x_host_header|aws.cloudfront.http.request.host}\\t%{URIPROTO:cs_protocol|network.protocol}\\t' +
    '(?:%{INT:cs_bytes:int|source.bytes:int}|-)\\t%{DATA:time_taken:float|aws.cloudfront.time_taken}\\t' +
    '%{DATA:x_forwarded_for|network.forwarded_ip}\\t%{DATA:ssl_protocol|aws.cloudfront.ssl_protocol}\\t' +
    '%{DATA:ssl_cipher|aws.cloudfront.ssl_cipher}\\t' +
    '%{GREEDYDATA:x_edge_response_result_type|aws.cloudfront.x_edge_response_result_type}',
} as const;
