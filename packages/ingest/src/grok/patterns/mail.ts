/** Parts of lines of Exim. */
export const MAIL = {
  EXIM_MSGID: '[0-9A-Za-z]{6}-[0-9A-Za-z]{6}-[0-9A-Za-z]{2}',
  EXIM_FLAGS: '(?:<=|[-=>*]>|[*]{2}|==)',
  EXIM_DATE: '%{YEAR:exim_year|}-%{MONTHNUM:exim_month|}-%{MONTHDAY:exim_day|} %{TIME:exim_time|}',
  EXIM_PID: '\\[%{POSINT:|process.pid:int}\\]',
  EXIM_QT: '(?:(?:\\d+y)?(?:\\d+w)?(?:\\d+d)?(?:\\d+h)?(?:\\d+m)?(?:\\d+s)?)',
  EXIM_EXCLUDE_TERMS:
    '(?:Message is frozen|(?:Start|End) queue run| Warning: | retry time not reached | no (?:IP address|host ' +
    'name) found ' +
    'for (?:IP address|host) | unexpected disconnection while reading SMTP command | no immediate delivery: |' +
    'another process is handling this message)',
  EXIM_REMOTE_HOST:
    '(?:H=(?:%{NOTSPACE:remote_hostname|source.address} )?(?:\\(' +
    '%{NOTSPACE:remote_heloname|exim.log.remote_address}\\) )?' +
    '\\[%{IP:remote_host|source.ip}\\])',
  EXIM_INTERFACE:
    '(?:I=\\[%{IP:exim_interface|destination.ip}\\](?::%{NUMBER:exim_interface_port|destination.port:int}))',
  EXIM_PROTOCOL: '(?:P=%{NOTSPACE:protocol|network.protocol})',
  EXIM_MSG_SIZE: '(?:S=%{NUMBER:exim_msg_size|exim.log.message.body.size:int})',
  EXIM_HEADER_ID: '(?:id=%{NOTSPACE:exim_header_id|exim.log.header_id})',
  EXIM_SUBJECT: '(?:T=%{QS:exim_subject|exim.log.message.subject})',
} as const;
