// Memory of processes as Linux tells it.
import fs from 'node:fs';

const megabytes = (pid, field) =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Resident megabytes of a process. */
export const residentMegabytes = (pid) => megabytes(pid, 'VmRSS');

/** The most that a process ever had resident, in megabytes. */
export const residentPeakMegabytes = (pid) => megabytes(pid, 'VmHWM');
