// Preloaded into a node (`--require`), also into each of its threads: ends a shard thread, or the control thread of a
// node, when a file asks for it, with an error that nobody catches, or by using more memory than the thread may.
const fs = require('node:fs');
const path = require('node:path');
const { isMainThread, workerData } = require('node:worker_threads');

const LOOK_MS = 20;

/** Name of the file that ends this thread; null for threads that no test ends. */
function nameOfFile() {
  if (isMainThread) return null;
  if (workerData?.thread !== undefined) return String(workerData.thread);
  return workerData?.consensusSettings === undefined ? null : `control-${workerData.localNode.name}`;
}

const name = nameOfFile();
if (name !== null) {
  const file = path.join(process.env.END_THREADS_FOLDER, name);
  const look = () => {
    if (!fs.existsSync(file)) return;
    const how = fs.readFileSync(file, 'utf8');
    fs.unlinkSync(file);
    if (how !== 'memory') throw new Error('ended by a test');
    for (const held = []; ; ) held.push(Array.from({ length: 10_000 }, Math.random));
  };
  setInterval(look, LOOK_MS).unref();
}
