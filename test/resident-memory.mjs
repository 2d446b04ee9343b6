// Memory of processes as Linux tells it.
import fs from 'node:fs';

const megabytes = (pid, field) =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Resident megabytes of a process. */
export const residentMegabytes = (pid) => megabytes(pid, 'VmRSS');

/** The most that a process ever had resident, in megabytes. */
export const residentPeakMegabytes = (pid) => megabytes(pid, 'VmHWM');

/**
 * Resident megabytes of a process and what they are of: `anonymous` are heaps and buffers, `files` are pages of mapped
 * files (the program, tables of LevelDB), which the system takes back when it needs them.
 */
export const residentParts = (pid) => ({
  rss: residentMegabytes(pid),
  anonymous: megabytes(pid, 'RssAnon'),
  files: megabytes(pid, 'RssFile'),
});
