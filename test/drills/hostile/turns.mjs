// Loaded into the node before its program (`--import`): measures how long turns of its event loop take, in processor
// time of their thread, so that other programs on the machine do not count. Writes a line for each long one.
import fs from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Between two looks. What ran in between is one turn, or several that nobody else came between. */
const LOOK_MS = 2;
const NOTED_MS = 20;
const NANOSECONDS = 1e6;

/** Follows the main thread; lines go to `file`: the time, and milliseconds of processor. */
function follow(file) {
  const source = fs.openSync('/proc/thread-self/schedstat', 'r');
  const out = fs.openSync(file, 'a');
  const buffer = Buffer.alloc(100);
  const spentMs = () => {
    const length = fs.readSync(source, buffer, 0, buffer.length, 0);
    return Number(buffer.toString('latin1', 0, length).split(' ')[0]) / NANOSECONDS;
  };
  let before = spentMs();
  setInterval(() => {
    const now = spentMs();
    if (now - before > NOTED_MS) fs.writeSync(out, `${Date.now()} ${(now - before).toFixed(1)}\n`);
    before = spentMs();
  }, LOOK_MS).unref();
}

if (isMainThread && process.env.SHOAL_TURNS_FILE) follow(process.env.SHOAL_TURNS_FILE);
