const HOST = '%{DATA:nagios_hostname|host.hostname}';
const SERVICE = '%{DATA:nagios_service|service.name}';
const STATE = '%{DATA:nagios_state|service.state}';
const MESSAGE = '%{GREEDYDATA:nagios_message|message}';
const COMMENT = '%{GREEDYDATA:nagios_comment|nagios.log.comment}';
const LEVEL = '%{DATA:nagios_statelevel|nagios.log.state_type}';
const ATTEMPT = '%{NUMBER:nagios_attempt|nagios.log.attempt:int}';
const CHECK = '%{GREEDYDATA:nagios_check_result|nagios.log.check_result}';

/** Kinds of lines: the words of the line, and what follows them, with `;` between. */
const LINES: Readonly<Record<string, readonly [words: string, ...fields: string[]]>> = {
  CURRENT_SERVICE_STATE: [
    'CURRENT SERVICE STATE',
    ...[HOST, SERVICE, STATE, '%{DATA:nagios_statetype|nagios.log.state_type}'],
    ...['%{DATA:nagios_statecode|nagios.log.attempt:int}', MESSAGE],
  ],
  CURRENT_HOST_STATE: [
    'CURRENT HOST STATE',
    ...[HOST, STATE, '%{DATA:nagios_statetype|nagios.log.state_type}'],
    ...['%{DATA:nagios_statecode|nagios.log.attempt:int}', MESSAGE],
  ],
  SERVICE_NOTIFICATION: [
    'SERVICE NOTIFICATION',
    ...['%{DATA:nagios_notifyname|user.name}', HOST, SERVICE, STATE],
    ...['%{DATA:nagios_contact|nagios.log.notification_command}', MESSAGE],
  ],
  HOST_NOTIFICATION: [
    'HOST NOTIFICATION',
    ...['%{DATA:nagios_notifyname|user.name}', HOST, STATE],
    ...['%{DATA:nagios_contact|nagios.log.notification_command}', MESSAGE],
  ],
  SERVICE_ALERT: ['SERVICE ALERT', HOST, SERVICE, STATE, LEVEL, ATTEMPT, MESSAGE],
  HOST_ALERT: ['HOST ALERT', HOST, STATE, LEVEL, ATTEMPT, MESSAGE],
  SERVICE_FLAPPING_ALERT: ['SERVICE FLAPPING ALERT', HOST, SERVICE, STATE, MESSAGE],
  HOST_FLAPPING_ALERT: ['HOST FLAPPING ALERT', HOST, STATE, MESSAGE],
  SERVICE_DOWNTIME_ALERT: ['SERVICE DOWNTIME ALERT', HOST, SERVICE, STATE, COMMENT],
  HOST_DOWNTIME_ALERT: ['HOST DOWNTIME ALERT', HOST, STATE, COMMENT],
  PASSIVE_SERVICE_CHECK: ['PASSIVE SERVICE CHECK', HOST, SERVICE, STATE, COMMENT],
  PASSIVE_HOST_CHECK: ['PASSIVE HOST CHECK', HOST, STATE, COMMENT],
  SERVICE_EVENT_HANDLER: [
    'SERVICE EVENT HANDLER',
    ...[HOST, SERVICE, STATE, LEVEL, '%{GREEDYDATA:nagios_event_handler_name|nagios.log.event_handler_name}'],
  ],
  HOST_EVENT_HANDLER: [
    'HOST EVENT HANDLER',
    ...[HOST, STATE, LEVEL, '%{GREEDYDATA:nagios_event_handler_name|nagios.log.event_handler_name}'],
  ],
  TIMEPERIOD_TRANSITION: [
    'TIMEPERIOD TRANSITION',
    SERVICE,
    '%{DATA:nagios_unknown1|nagios.log.period_from:int}',
    '%{INT:nagios_unknown2|nagios.log.period_to:int}',
  ],
};

const LAST_HOST = '%{GREEDYDATA:nagios_hostname|host.hostname}';
const LAST_SERVICE = '%{GREEDYDATA:nagios_service|service.name}';
const time = (name: string, ecs: string): string => `%{NUMBER:nagios_${name}|nagios.log.${ecs}:int}`;

/** Commands from outside that lines show, with their arguments. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  DISABLE_SVC_CHECK: [HOST, SERVICE],
  DISABLE_HOST_CHECK: [HOST],
  ENABLE_SVC_CHECK: [HOST, SERVICE],
  ENABLE_HOST_CHECK: [HOST],
  PROCESS_SERVICE_CHECK_RESULT: [HOST, SERVICE, STATE, CHECK],
  PROCESS_HOST_CHECK_RESULT: [HOST, STATE, CHECK],
  DISABLE_HOST_SVC_NOTIFICATIONS: [LAST_HOST],
  DISABLE_HOST_NOTIFICATIONS: [LAST_HOST],
  DISABLE_SVC_NOTIFICATIONS: [HOST, LAST_SERVICE],
  ENABLE_HOST_SVC_NOTIFICATIONS: [LAST_HOST],
  ENABLE_HOST_NOTIFICATIONS: [LAST_HOST],
  ENABLE_SVC_NOTIFICATIONS: [HOST, LAST_SERVICE],
  SCHEDULE_HOST_DOWNTIME: [
    ...[HOST, time('start_time', 'start_time'), time('end_time', 'end_time'), time('fixed', 'fixed')],
    ...[time('trigger_id', 'trigger_id'), time('duration', 'duration')],
    ...['%{DATA:author|user.name}', '%{GREEDYDATA:comment|nagios.log.comment}'],
  ],
};

function patterns(): Record<string, string> {
  const result: Record<string, string> = {
    NAGIOSTIME: '\\[%{NUMBER:nagios_epoch|timestamp}\\]',
    NAGIOS_TYPE_EXTERNAL_COMMAND: 'EXTERNAL COMMAND',
    NAGIOS_EC_SCHEDULE_SERVICE_DOWNTIME: 'SCHEDULE_SERVICE_DOWNTIME',
    NAGIOS_WARNING: `Warning:%{SPACE}${MESSAGE}`,
  };
  for (const [name, [words, ...fields]] of Object.entries(LINES)) {
    result[`NAGIOS_TYPE_${name}`] = words;
    const [first, ...others] = fields;
    result[`NAGIOS_${name}`] = `%{NAGIOS_TYPE_${name}:nagios_type|nagios.log.type}: ${[first, ...others].join(';')}`;
  }
  for (const [name, fields] of Object.entries(COMMANDS)) {
    result[`NAGIOS_EC_${name}`] = name;
    const command = `%{NAGIOS_EC_${name}:nagios_command|nagios.log.command}`;
    result[`NAGIOS_EC_LINE_${name}`] =
      `%{NAGIOS_TYPE_EXTERNAL_COMMAND:nagios_type|nagios.log.type}: ${[command, ...fields].join(';')}`;
  }
  const kinds = ['WARNING', ...Object.keys(LINES), ...Object.keys(COMMANDS).map((name) => `EC_LINE_${name}`)];
  result['NAGIOSLOGLINE'] = `%{NAGIOSTIME} (?:${kinds.map((kind) => `%{NAGIOS_${kind}}`).join('|')})`;
  return result;
}

/** Lines of the log of Nagios. */
export const NAGIOS: Readonly<Record<string, string>> = patterns();
