/** Lines of the Apache HTTP server: access logs, and error logs of 2.0 and 2.4. */
export const HTTPD = {
  HTTPDUSER: '%{EMAILADDRESS}|%{USER}',
  HTTPDERROR_DATE: '%{DAY} %{MONTH} %{MONTHDAY} %{TIME} %{YEAR}',
  COMMONAPACHELOG: '%{HTTPD_COMMONLOG}',
  COMBINEDAPACHELOG: '%{HTTPD_COMBINEDLOG}',
  HTTPD20_ERRORLOG:
    '\\[%{HTTPDERROR_DATE:timestamp|timestamp}\\] \\[%{LOGLEVEL:loglevel|log.level}\\] ' +
    '(?:\\[client %{IPORHOST:clientip|source.address}\\] )?%{GREEDYDATA:errormsg|message}',
  HTTPD24_ERRORLOG:
    '\\[%{HTTPDERROR_DATE:timestamp|timestamp}\\] ' +
    '\\[(?:%{WORD:module|apache.error.module})?:%{LOGLEVEL:loglevel|log.level}\\] ' +
    '\\[pid %{POSINT:pid|process.pid:int}(?::tid %{NUMBER:tid|process.thread.id:int})?\\]' +
    '(?: \\(%{POSINT:proxy_errorcode|apache.error.proxy.error.code}\\)' +
    '%{DATA:proxy_errormessage|apache.error.proxy.error.message}:)?' +
    '(?: \\[client %{IPORHOST:client|source.address}(?::%{POSINT:clientport|source.port:int})?\\])?' +
    '(?: %{DATA:errorcode|error.code}:)? %{GREEDYDATA:message|message}',
  HTTPD_ERRORLOG: '%{HTTPD20_ERRORLOG}|%{HTTPD24_ERRORLOG}',
} as const;

/** Access logs, whose legacy patterns take unknown users and quotes as they are, and the others leave them out. */
export const HTTPD_ACCESS = {
  legacy: {
    HTTPD_COMMONLOG:
      '%{IPORHOST:clientip} %{HTTPDUSER:ident} %{HTTPDUSER:auth} \\[%{HTTPDATE:timestamp}\\] ' +
      '"(?:%{WORD:verb} %{NOTSPACE:request}(?: HTTP/%{NUMBER:httpversion})?|%{DATA:rawrequest})" ' +
      '(?:-|%{NUMBER:response}) (?:-|%{NUMBER:bytes})',
    HTTPD_COMBINEDLOG: '%{HTTPD_COMMONLOG} %{QS:referrer} %{QS:agent}',
  },
  ecs: {
    HTTPD_COMMONLOG:
      '%{IPORHOST:source.address} (?:-|%{HTTPDUSER:apache.access.user.identity}) (?:-|%{HTTPDUSER:user.name}) ' +
      '\\[%{HTTPDATE:timestamp}\\] "(?:%{WORD:http.request.method} %{NOTSPACE:url.original}' +
      '(?: HTTP/%{NUMBER:http.version})?|%{DATA})" (?:-|%{INT:http.response.status_code:int}) ' +
      '(?:-|%{INT:http.response.body.bytes:int})',
    HTTPD_COMBINEDLOG: '%{HTTPD_COMMONLOG} "(?:-|%{DATA:http.request.referrer})" "(?:-|%{DATA:user_agent.original})"',
  },
} as const;
