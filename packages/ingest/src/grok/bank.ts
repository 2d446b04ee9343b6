import { AMAZON } from './patterns/amazon.js';
import { APPLICATIONS } from './patterns/applications.js';
import { BACULA } from './patterns/bacula.js';
import { CISCO } from './patterns/cisco.js';
import { FIREWALLS } from './patterns/firewalls.js';
import { HAPROXY } from './patterns/haproxy.js';
import { HTTPD, HTTPD_ACCESS } from './patterns/httpd.js';
import { JAVA } from './patterns/java.js';
import { JUNOS } from './patterns/junos.js';
import { MAIL } from './patterns/mail.js';
import { NAGIOS } from './patterns/nagios.js';
import { SYSLOG } from './patterns/syslog.js';
import { ZEEK } from './patterns/zeek.js';

/**
 * Named patterns of grok, written from the formats that they match. Names and captures are those that Elasticsearch's
 * legacy bank has. Each works without looking behind, so that neighbours bound it.
 */
const BASE = {
  USERNAME: '[a-zA-Z0-9._-]+',
  USER: '%{USERNAME}',
  EMAILLOCALPART: "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]{1,64}(?:\\.[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]{1,62}){0,63}",
  EMAILADDRESS: '%{EMAILLOCALPART}@%{HOSTNAME}',
  INT: '[+-]?[0-9]+',
  BASE10NUM: '[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)',
  NUMBER: '%{BASE10NUM}',
  BASE16NUM: '[+-]?(?:0x)?[0-9A-Fa-f]+',
  BASE16FLOAT: '\\b[+-]?(?:0x)?(?:[0-9A-Fa-f]+(?:\\.[0-9A-Fa-f]*)?|\\.[0-9A-Fa-f]+)\\b',
  POSINT: '\\b[1-9][0-9]*\\b',
  NONNEGINT: '\\b[0-9]+\\b',
  WORD: '\\b\\w+\\b',
  NOTSPACE: '\\S+',
  SPACE: '\\s*',
  DATA: '.*?',
  GREEDYDATA: '.*',
  QUOTEDSTRING: '"(?:\\\\.|[^\\\\"])*"|\'(?:\\\\.|[^\\\\\'])*\'|`(?:\\\\.|[^\\\\`])*`',
  QS: '%{QUOTEDSTRING}',
  UUID: '[A-Fa-f0-9]{8}-(?:[A-Fa-f0-9]{4}-){3}[A-Fa-f0-9]{12}',
  URN: "urn:[0-9A-Za-z][0-9A-Za-z-]{0,31}:(?:%[0-9a-fA-F]{2}|[0-9A-Za-z()+,.:=@;$_!*'/?#-])+",
} as const;

const NETWORK = {
  MAC: '%{CISCOMAC}|%{WINDOWSMAC}|%{COMMONMAC}',
  CISCOMAC: '(?:[A-Fa-f0-9]{4}\\.){2}[A-Fa-f0-9]{4}',
  WINDOWSMAC: '(?:[A-Fa-f0-9]{2}-){5}[A-Fa-f0-9]{2}',
  COMMONMAC: '(?:[A-Fa-f0-9]{2}:){5}[A-Fa-f0-9]{2}',
  IPV6:
    '(?:(?:[0-9A-Fa-f]{1,4}:){7}(?:[0-9A-Fa-f]{1,4}|:)|(?:[0-9A-Fa-f]{1,4}:){6}(?::[0-9A-Fa-f]{1,4}|%{IPV4}|:)|' +
    '(?:[0-9A-Fa-f]{1,4}:){5}(?:(?::[0-9A-Fa-f]{1,4}){1,2}|:%{IPV4}|:)|' +
    '(?:[0-9A-Fa-f]{1,4}:){4}(?:(?::[0-9A-Fa-f]{1,4}){1,3}|(?::[0-9A-Fa-f]{1,4})?:%{IPV4}|:)|' +
    '(?:[0-9A-Fa-f]{1,4}:){3}(?:(?::[0-9A-Fa-f]{1,4}){1,4}|(?::[0-9A-Fa-f]{1,4}){0,2}:%{IPV4}|:)|' +
    '(?:[0-9A-Fa-f]{1,4}:){2}(?:(?::[0-9A-Fa-f]{1,4}){1,5}|(?::[0-9A-Fa-f]{1,4}){0,3}:%{IPV4}|:)|' +
    '[0-9A-Fa-f]{1,4}:(?:(?::[0-9A-Fa-f]{1,4}){1,6}|(?::[0-9A-Fa-f]{1,4}){0,4}:%{IPV4}|:)|' +
    ':(?:(?::[0-9A-Fa-f]{1,4}){1,7}|(?::[0-9A-Fa-f]{1,4}){0,5}:%{IPV4}|:))(?:%[0-9A-Za-z]+)?',
  IPV4: '(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]{1,2})\\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]{1,2})(?![0-9])',
  IP: '%{IPV6}|%{IPV4}',
  HOSTNAME: '\\b[0-9A-Za-z_][0-9A-Za-z_-]{0,62}(?:\\.[0-9A-Za-z_][0-9A-Za-z_-]{0,62})*\\.?(?:\\b|(?=[^0-9A-Za-z]|$))',
  HOST: '%{HOSTNAME}',
  IPORHOST: '%{IP}|%{HOSTNAME}',
  HOSTPORT: '%{IPORHOST}:%{POSINT}',
} as const;

const PLACES = {
  PATH: '%{UNIXPATH}|%{WINPATH}',
  UNIXPATH: '(?:/[\\w_%!$@:.,+~-]*)+',
  TTY: '/dev/(?:pts|tty(?:[pq])?)(?:\\w+)?/?(?:[0-9]+)?',
  WINPATH: '(?:[A-Za-z]+:|\\\\)(?:\\\\[^\\\\?*]*)+',
  URIPROTO: '[A-Za-z](?:[A-Za-z0-9+.-]*)',
  URIHOST: '%{IPORHOST}(?::%{POSINT:port})?',
  URIPATH: "(?:/[A-Za-z0-9$.+!*'(){},~:;=@#%&_-]*)+",
  URIPARAM: "\\?[A-Za-z0-9$.+!*'|(){},~@#%&/=:;_?\\[\\]<>-]*",
  URIPATHPARAM: '%{URIPATH}(?:%{URIPARAM})?',
  URI: '%{URIPROTO}://(?:%{USER}(?::[^@]*)?@)?(?:%{URIHOST})?(?:%{URIPATHPARAM})?',
} as const;

const DATES = {
  MONTH:
    '\\b(?:[Jj]an(?:uary|uar)?|[Ff]eb(?:ruary|ruar)?|[Mm](?:a|ä)?r(?:ch|z)?|' +
    '[Aa]pr(?:il)?|[Mm]a(?:y|i)?|[Jj]un(?:e|i)?|' +
    '[Jj]ul(?:y|i)?|[Aa]ug(?:ust)?|[Ss]ep(?:tember)?|[Oo](?:c|k)?t(?:ober)?|' +
    '[Nn]ov(?:ember)?|[Dd]e(?:c|z)(?:ember)?)\\b',
  MONTHNUM: '0?[1-9]|1[0-2]',
  MONTHNUM2: '0[1-9]|1[0-2]',
  MONTHDAY: '(?:0[1-9])|(?:[12][0-9])|(?:3[01])|[1-9]',
  DAY: 'Mon(?:day)?|Tue(?:sday)?|Wed(?:nesday)?|Thu(?:rsday)?|Fri(?:day)?|Sat(?:urday)?|Sun(?:day)?',
  YEAR: '(?:\\d\\d){1,2}',
  HOUR: '2[0123]|[01]?[0-9]',
  MINUTE: '[0-5][0-9]',
  SECOND: '(?:[0-5]?[0-9]|60)(?:[:.,][0-9]+)?',
  TIME: '%{HOUR}:%{MINUTE}(?::%{SECOND})?',
  DATE_US: '%{MONTHNUM}[/-]%{MONTHDAY}[/-]%{YEAR}',
  DATE_EU: '%{MONTHDAY}[./-]%{MONTHNUM}[./-]%{YEAR}',
  ISO8601_TIMEZONE: 'Z|[+-]%{HOUR}(?::?%{MINUTE})',
  ISO8601_SECOND: '%{SECOND}|60',
  TIMESTAMP_ISO8601: '%{YEAR}-%{MONTHNUM}-%{MONTHDAY}[T ]%{HOUR}:?%{MINUTE}(?::?%{SECOND})?(?:%{ISO8601_TIMEZONE})?',
  DATE: '%{DATE_US}|%{DATE_EU}',
  DATESTAMP: '%{DATE}[- ]%{TIME}',
  TZ: '[APMCE][SD]T|UTC|[A-Z]{3,5}',
  DATESTAMP_RFC822: '%{DAY} %{MONTH} %{MONTHDAY} %{YEAR} %{TIME} %{TZ}',
  DATESTAMP_RFC2822: '%{DAY}, %{MONTHDAY} %{MONTH} %{YEAR} %{TIME} %{ISO8601_TIMEZONE}',
  DATESTAMP_OTHER: '%{DAY} %{MONTH} %{MONTHDAY} %{TIME} %{TZ} %{YEAR}',
  DATESTAMP_EVENTLOG: '%{YEAR}%{MONTHNUM2}%{MONTHDAY}%{HOUR}%{MINUTE}%{SECOND}',
  HTTPDATE: '%{MONTHDAY}/%{MONTH}/%{YEAR}:%{TIME} %{INT}',
} as const;

/** What lines of many programs contain. */
const WORDS = {
  ISO8601_HOUR: '2[0123]|[01][0-9]',
  LOGLEVEL:
    '[Aa]lert|ALERT|[Tt]race|TRACE|[Dd]ebug|DEBUG|[Nn]otice|NOTICE|[Ii]nfo(?:rmation)?|INFO(?:RMATION)?|' +
    '[Ww]arn(?:ing)?|WARN(?:ING)?|[Ee]rr(?:or)?|ERR(?:OR)?|[Cc]rit(?:ical)?|CRIT(?:ICAL)?|[Ff]atal|FATAL|[Ss]evere|' +
    'SEVERE|EMERG(?:ENCY)?|[Ee]merg(?:ency)?',
} as const;

/** Patterns by name. */
export type Bank = Readonly<Record<string, string>>;

/** Formats of lines. A capture of theirs is `%{IP:src_ip|source.ip}`: its legacy name and that of the other bank. */
const LINES: Bank = {
  ...AMAZON,
  ...APPLICATIONS,
  ...BACULA,
  ...CISCO,
  ...FIREWALLS,
  ...HAPROXY,
  ...HTTPD,
  ...JAVA,
  ...JUNOS,
  ...MAIL,
  ...NAGIOS,
  ...SYSLOG,
  ...ZEEK,
};

/** Chooses one of the two names of each capture; a capture without the name is none. */
function named(patterns: Bank, which: 'legacy' | 'ecs'): Bank {
  const choose = (legacy: string, ecs: string): string => (which === 'legacy' ? legacy : ecs);
  const one = (text: string): string =>
    text
      .replace(/%\{(\w+):([^|}]*)\|([^}]*)\}/g, (_all, pattern: string, legacy: string, ecs: string) => {
        const name = choose(legacy, ecs);
        return name === '' ? `%{${pattern}}` : `%{${pattern}:${name}}`;
      })
      .replace(/\(\?<(\w+)\|([\w.]+)>/g, (_all, legacy: string, ecs: string) => `(?<${choose(legacy, ecs)}>`);
  return Object.fromEntries(Object.entries(patterns).map(([name, text]) => [name, one(text)]));
}

const COMMON: Bank = { ...BASE, ...NETWORK, ...PLACES, ...DATES, ...WORDS };
const LEGACY: Bank = { ...COMMON, ...named(LINES, 'legacy'), ...HTTPD_ACCESS.legacy };
const ECS: Bank = { ...COMMON, ...named(LINES, 'ecs'), ...HTTPD_ACCESS.ecs };

/** Returns the patterns whose captures are of the legacy names, or of the Elastic Common Schema. */
export function grokBank(isEcs: boolean): Bank {
  return isEcs ? ECS : LEGACY;
}
