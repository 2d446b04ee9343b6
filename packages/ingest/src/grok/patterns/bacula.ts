const VOLUME = '%{BACULA_VOLUME:volume|bacula.volume.name}';
const DEVICE = '%{BACULA_DEVICE:device|bacula.volume.device}';
const CLIENT = '%{BACULA_HOST:client|bacula.client.name}';
const JOB = '%{BACULA_JOB:job|bacula.job.name}';
const ERROR = '%{GREEDYDATA:berror|error.message}';
const WHEN = '%{MONTHDAY}-%{MONTH}-%{YEAR} %{HOUR}:%{MINUTE}';

/** What the director, the storage daemon and the file daemon of Bacula say in a line, behind time, host and job. */
const MESSAGES = {
  BACULA_LOG_MAX_CAPACITY:
    `User defined maximum volume capacity %{BACULA_CAPACITY} exceeded on device \\"` +
    `${DEVICE}\\" \\(%{BACULA_DEVICEPATH}\\).?`,
  BACULA_LOG_END_VOLUME:
    `End of medium on Volume \\"${VOLUME}\\" Bytes=%{BACULA_CAPACITY} Blocks=` + `%{BACULA_CAPACITY} at ${WHEN}.?`,
  BACULA_LOG_NEW_VOLUME: `Created new Volume \\"${VOLUME}\\" in catalog.?`,
  BACULA_LOG_NEW_LABEL:
    `Labeled new Volume \\"${VOLUME}\\" on (?:file )?device \\"${DEVICE}\\" \\(` + `%{BACULA_DEVICEPATH}\\).?`,
  BACULA_LOG_WROTE_LABEL:
    `Wrote label to prelabeled Volume \\"${VOLUME}\\" on device \\"%{BACULA_DEVICE}\\" ` + `\\(%{BACULA_DEVICEPATH}\\)`,
  BACULA_LOG_NEW_MOUNT:
    `New volume \\"${VOLUME}\\" mounted on device \\"${DEVICE}\\" \\(` + `%{BACULA_DEVICEPATH}\\) at ${WHEN}.?`,
  BACULA_LOG_NOOPEN: `\\s*Cannot open %{DATA}: ERR=${ERROR}`,
  BACULA_LOG_NOOPENDIR: `\\s*Could not open directory \\"?%{DATA}\\"?: ERR=${ERROR}`,
  BACULA_LOG_NOSTAT: `\\s*Could not stat %{DATA}: ERR=${ERROR}`,
  BACULA_LOG_NOJOBS: `There are no more Jobs associated with Volume \\"${VOLUME}\\"\\. Marking it purged\\.?`,
  BACULA_LOG_ALL_RECORDS_PRUNED: `.*?All records pruned from Volume \\"${VOLUME}\\"; marking it \\"Purged\\".?`,
  BACULA_LOG_BEGIN_PRUNE_JOBS: 'Begin pruning Jobs older than %{INT} month %{INT} days .?',
  BACULA_LOG_BEGIN_PRUNE_FILES: 'Begin pruning Files.?',
  BACULA_LOG_PRUNED_JOBS: `Pruned %{INT} Jobs* for client ${CLIENT} from catalog.?`,
  BACULA_LOG_PRUNED_FILES: `Pruned Files from %{INT} Jobs* for client ${CLIENT} from catalog.?`,
  BACULA_LOG_ENDPRUNE: 'End auto prune.?',
  BACULA_LOG_STARTJOB: `Start Backup JobId %{INT}, Job=${JOB}`,
  BACULA_LOG_STARTRESTORE: `Start Restore Job ${JOB}`,
  BACULA_LOG_USEDEVICE: `Using Device \\"${DEVICE}\\"`,
  BACULA_LOG_DIFF_FS: '\\s*%{UNIXPATH} is a different filesystem. Will not descend from %{UNIXPATH} into it.',
  BACULA_LOG_JOBEND:
    'Job write elapsed time = %{DATA:elapsed|bacula.job.elapsed_time}, Transfer rate = %{NUMBER} (?:K |M |G ' +
    ')?Bytes/second',
  BACULA_LOG_NOPRUNE_JOBS: 'No Jobs found to prune.?',
  BACULA_LOG_NOPRUNE_FILES: 'No Files found to prune.?',
  BACULA_LOG_VOLUME_PREVWRITTEN: `Volume \\"?${VOLUME}\\"? previously written, moving to end of data\\.?`,
  BACULA_LOG_READYAPPEND: `Ready to append to end of Volume \\"${VOLUME}\\" size=%{INT}`,
  BACULA_LOG_CANCELLING: 'Cancelling duplicate JobId=%{INT}.?',
  BACULA_LOG_MARKCANCEL: `JobId %{INT}, Job ${JOB} marked to be canceled.?`,
  BACULA_LOG_CLIENT_RBJ:
    'shell command: run ClientRunBeforeJob \\"%{GREEDYDATA:runjob|bacula.job.client_run_before_command}\\"',
  BACULA_LOG_VSS: '(?:Generate )?VSS (?:Writer)?',
  BACULA_LOG_MAXSTART: 'Fatal [eE]rror: Job canceled because max start delay time exceeded.?',
  BACULA_LOG_DUPLICATE:
    'Fatal [eE]rror: JobId %{INT:duplicate|bacula.job.other_id} already running. Duplicate job not allowed.?',
  BACULA_LOG_NOJOBSTAT: 'Fatal [eE]rror: No Job status returned from FD.?',
  BACULA_LOG_FATAL_CONN:
    `Fatal [eE]rror: bsock.c:133 Unable to connect to (?:Client: ${CLIENT}|Storage daemon) on ` +
    '%{HOSTNAME}:%{POSINT}. ERR=(?<berror|error.message>%{GREEDYDATA})',
  BACULA_LOG_NO_CONNECT:
    `Warning: bsock.c:127 Could not connect to (?:Client: ${CLIENT}|Storage daemon) on ` +
    '%{HOSTNAME}:%{POSINT}. ERR=(?<berror|error.message>%{GREEDYDATA})',
  BACULA_LOG_NO_AUTH: 'Fatal error: Unable to authenticate with File daemon at \\"?%{HOSTNAME}\\"?\\. Possible causes:',
  BACULA_LOG_NOSUIT: 'No prior or suitable Full backup found in catalog\\. Doing FULL backup\\.',
  BACULA_LOG_NOPRIOR: 'No prior Full backup Job record found\\.',
} as const;

const ALTERNATIVES = [...Object.keys(MESSAGES), 'BACULA_LOG_JOB'].map((name) => `%{${name}}`).join('|');

/** Lines of Bacula. */
export const BACULA: Readonly<Record<string, string>> = {
  BACULA_TIMESTAMP: '%{MONTHDAY}-%{MONTH}(?:-%{YEAR})? %{HOUR}:%{MINUTE}',
  BACULA_HOST: '[a-zA-Z0-9-]+',
  BACULA_VOLUME: '%{USER}',
  BACULA_DEVICE: '%{USER}',
  BACULA_DEVICEPATH: '%{UNIXPATH}',
  BACULA_CAPACITY: '%{INT}(?:,%{INT})*',
  BACULA_VERSION: '%{USER}',
  BACULA_JOB: '%{USER}',
  ...MESSAGES,
  BACULA_LOG_JOB: '(?:Error: )?Bacula %{BACULA_HOST} %{BACULA_VERSION} \\(%{BACULA_VERSION}\\):',
  BACULA_LOGLINE:
    '%{BACULA_TIMESTAMP:bts|timestamp} %{BACULA_HOST:hostname|host.hostname} ' +
    `JobId %{INT:jobid|bacula.job.id}: (?:${ALTERNATIVES})`,
};
