/** Lines of Java: stack traces, Tomcat's container and its applications. */
export const JAVA = {
  JAVACLASS: '(?:[a-zA-Z$_][a-zA-Z$_0-9]*\\.)*[a-zA-Z$_][a-zA-Z$_0-9]*',
  JAVAFILE: '[a-zA-Z$_0-9. -]+',
  JAVAMETHOD: '<(?:cl)?init>|[a-zA-Z$_][a-zA-Z$_0-9]*',
  JAVASTACKTRACEPART:
    '%{SPACE}at %{JAVACLASS:class|java.log.origin.class.name}\\.%{JAVAMETHOD:method|log.origin.function}' +
    '\\(%{JAVAFILE:file|log.origin.file.name}(?::%{INT:line|log.origin.file.line:int})?\\)',
  JAVATHREAD: '[A-Z]{2}-Processor\\d+',
  JAVALOGMESSAGE: '.*',
  CATALINA_DATESTAMP: '%{MONTH} %{MONTHDAY}, 20%{YEAR} %{HOUR}:?%{MINUTE}(?::?%{SECOND}) (?:AM|PM)',
  TOMCAT_DATESTAMP: '20%{YEAR}-%{MONTHNUM}-%{MONTHDAY} %{HOUR}:?%{MINUTE}(?::?%{SECOND}) %{ISO8601_TIMEZONE}',
  CATALINALOG:
    '%{CATALINA_DATESTAMP:timestamp|timestamp} %{JAVACLASS:class|java.log.origin.class.name} ' +
    '%{JAVALOGMESSAGE:logmessage|message}',
  TOMCATLOG:
    '%{TOMCAT_DATESTAMP:timestamp|timestamp} \\| %{LOGLEVEL:level|log.level} \\| ' +
    '%{JAVACLASS:class|java.log.origin.class.name} - %{JAVALOGMESSAGE:logmessage|message}',
} as const;
