import type { NodeSetting } from './node-setting.js';

const LEVELS = ['off', 'fatal', 'error', 'warn', 'info', 'debug', 'trace', 'all'];

/** Settings of logs and of the audit log. */
export const LOG_SETTINGS: readonly NodeSetting[] = [
  {
    name: 'path.logs',
    kind: 'text',
    fallback: null,
    description:
      'Folder for log files, one for each kind of log (docs/logs.md); logs go to the standard output only when absent.',
  },
  {
    name: 'logger.level',
    kind: 'text',
    fallback: 'info',
    description: 'Least severe level that is logged. `logger.<name>` sets that of one logger; both change at run time.',
    values: [...LEVELS, ...LEVELS.map((level) => level.toUpperCase())],
  },
  {
    name: 'shoal.logs.file_size',
    kind: 'bytes',
    fallback: '64mb',
    description: 'A log file that has grown so far is put aside; a new day puts it aside too.',
  },
  {
    name: 'shoal.logs.total_size',
    kind: 'bytes',
    fallback: '512mb',
    description: 'Bytes of all files of one kind of log; the oldest are removed.',
  },
  {
    name: 'xpack.security.audit.enabled',
    kind: 'boolean',
    fallback: 'false',
    description: 'Writes the audit log. What it tells are the cluster settings `xpack.security.audit.logfile.*`.',
  },
];
