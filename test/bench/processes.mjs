// What processes cost: read from /proc, so for Linux only.
import fs from 'node:fs';

const TICKS_PER_SECOND = 100;

/** CPU seconds of a process since its start. */
export function cpuSeconds(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** CPU seconds by thread, those with less than 0.05 s left out, the busiest first. */
export function threadSeconds(pid) {
  const threads = fs.readdirSync(`/proc/${pid}/task`).map((id) => {
    const [head, tail] = fs.readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8').split(') ');
    const fields = tail.split(' ');
    return {
      id: Number(id),
      name: head.split('(')[1],
      seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    };
  });
  return threads.filter(({ seconds }) => seconds >= 0.05).sort((a, b) => b.seconds - a.seconds);
}
