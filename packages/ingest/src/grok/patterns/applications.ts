/** Lines of data stores, proxies, name servers and tools, each in its own format. */
export const APPLICATIONS = {
  BIND9_TIMESTAMP: '%{MONTHDAY}[-]%{MONTH}[-]%{YEAR} %{TIME}',
  BIND9:
    '%{BIND9_TIMESTAMP:timestamp|timestamp} queries: %{LOGLEVEL:loglevel|log.level}: client(?: @0x[0-9a-f]+)? ' +
    '%{IP:clientip|client.ip}#%{POSINT:clientport|client.port:int} \\(%{GREEDYDATA:query|bind.log.question.name}\\): ' +
    'query: %{GREEDYDATA:query|dns.question.name} IN %{GREEDYDATA:querytype|dns.question.type} ' +
    '\\(%{IP:dns|server.ip}\\)',
  MAVEN_VERSION: '(?:(?:\\d+)\\.)?(?:(?:\\d+)\\.)?(?:\\*|\\d+)(?:[.-](?:RELEASE|SNAPSHOT))?',
  MCOLLECTIVE:
    '., \\[%{TIMESTAMP_ISO8601:timestamp|timestamp} #%{POSINT:pid|process.pid:int}\\]%{SPACE}' +
    '%{LOGLEVEL:event_level|log.level}',
  MCOLLECTIVEAUDIT: '%{TIMESTAMP_ISO8601:timestamp|timestamp}:',
  MONGO_LOG:
    '%{SYSLOGTIMESTAMP:timestamp|timestamp} \\[%{WORD:component|mongodb.component}\\] %{GREEDYDATA:message|message}',
  MONGO_QUERY: '\\{ .* \\}(?= ntoreturn:)',
  MONGO_SLOWQUERY:
    '%{WORD} %{MONGO_WORDDASH:database|mongodb.database}\\.%{MONGO_WORDDASH:collection|mongodb.collection} %{WORD}: ' +
    '%{MONGO_QUERY:query|mongodb.query.original} %{WORD}:%{NONNEGINT:ntoreturn|mongodb.profile.ntoreturn:int} ' +
    '%{WORD}:%{NONNEGINT:ntoskip|mongodb.profile.ntoskip:int} %{WORD}:' +
    '%{NONNEGINT:nscanned|mongodb.profile.nscanned:int}.*? ' +
    'nreturned:%{NONNEGINT:nreturned|mongodb.profile.nreturned:int}.*? (?<duration|mongodb.profile.duration>[0-9]+)ms',
  MONGO_WORDDASH: '\\b[\\w-]+\\b',
  MONGO3_SEVERITY: '\\w',
  MONGO3_COMPONENT: '%{WORD}|-',
  MONGO3_LOG:
    '%{TIMESTAMP_ISO8601:timestamp|timestamp} %{MONGO3_SEVERITY:severity|log.level} ' +
    '(?:-|%{MONGO3_COMPONENT:component|mongodb.component})%{SPACE}(?:\\[%{DATA:context|mongodb.context}\\])? ' +
    '%{GREEDYDATA:message|message}',
  POSTGRESQL:
    '%{DATESTAMP:timestamp|timestamp} %{TZ:|event.timezone} %{DATA:user_id|user.name} ' +
    '%{GREEDYDATA:connection_id|postgresql.log.connection_id} %{POSINT:pid|process.pid:int}',
  RUUID: '\\h{32}',
  RCONTROLLER: '(?<controller|rails.controller.class>[^#]+)#(?<action|rails.controller.action>\\w+)',
  RAILS3HEAD:
    'Started %{WORD:verb|http.request.method} "%{URIPATHPARAM:request|url.original}" for ' +
    '%{IPORHOST:clientip|source.address} at ' +
    '(?<timestamp|timestamp>%{YEAR}-%{MONTHNUM}-%{MONTHDAY} %{HOUR}:%{MINUTE}:%{SECOND} %{ISO8601_TIMEZONE})',
  RPROCESSING:
    '\\W*Processing by %{RCONTROLLER} as (?<format|rails.request.format>\\S+)' +
    '(?:\\W*Parameters: \\{%{DATA:params|rails.request.params}\\}\\W*)?',
  RAILS3PROFILE:
    '(?:\\(Views: %{NUMBER:viewms|rails.request.duration.view:float}ms \\| ' +
    'ActiveRecord: %{NUMBER:activerecordms|rails.request.duration.active_record:float}ms|' +
    '\\(ActiveRecord: %{NUMBER:activerecordms|rails.request.duration.active_record:float}ms)?',
  RAILS3FOOT:
    'Completed %{NUMBER:response|http.response.status_code:int}%{DATA} in ' +
    '%{NUMBER:totalms|rails.request.duration.total:float}ms %{RAILS3PROFILE}%{GREEDYDATA}',
  RAILS3:
    '%{RAILS3HEAD}(?:%{RPROCESSING})?(?<context|rails.request.explain.original>(?:%{DATA}\\n)*)(?:%{RAILS3FOOT})?',
  REDISTIMESTAMP: '%{MONTHDAY} %{MONTH} %{TIME}',
  REDISLOG: '\\[%{POSINT:pid|process.pid:int}\\] %{REDISTIMESTAMP:timestamp|timestamp} \\* ',
  REDISMONLOG:
    '%{NUMBER:timestamp|timestamp} \\[%{INT:database|redis.database.id} ' +
    '%{IP:client|client.ip}:%{NUMBER:port|client.port:int}\\] "%{WORD:command|redis.command.name}"\\s?' +
    '%{GREEDYDATA:params|redis.command.args}',
  RUBY_LOGLEVEL: '(?:DEBUG|FATAL|ERROR|WARN|INFO)',
  RUBY_LOGGER:
    '[DFEWI], \\[%{TIMESTAMP_ISO8601:timestamp|timestamp} #%{POSINT:pid|process.pid:int}\\] *' +
    '%{RUBY_LOGLEVEL:loglevel|log.level} -- +%{DATA:progname|process.name}: %{GREEDYDATA:message|message}',
  SQUID3:
    '%{NUMBER:timestamp|timestamp}\\s+%{NUMBER:duration|squid.request.duration:int}\\s' +
    '%{IP:client_address|source.ip}\\s%{WORD:cache_result|event.action}/' +
    '%{POSINT:status_code|http.response.status_code:int}\\s%{NUMBER:bytes|http.response.bytes:int}\\s' +
    '%{WORD:request_method|http.request.method}\\s%{NOTSPACE:url|url.original}\\s' +
    '(?:%{NOTSPACE:user|user.name}|-)\\s%{WORD:hierarchy_code|squid.hierarchy_code}/' +
    '(?:%{IPORHOST:server|destination.address}|-)\\s(?:%{NOTSPACE:content_type|http.response.mime_type}|-)',
} as const;
