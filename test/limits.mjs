// Limits of what tests wait for. A wait without one hides what did not come: the whole run ends, without a name.
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** A node that is told to stop ends by itself after 45 s at the latest. */
const STOP_MS_MAX = 60_000;

/** The result of `work`, a promise; fails after `msMax` with `what` was awaited. */
export async function withLimit(work, what, msMax = 60_000) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come within ${msMax / 1000} s`)), msMax);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits until `condition` holds; fails after `msMax` with `what` was awaited, and with what `told` returns. */
export async function until(condition, what, { msMax = 30_000, told = () => '' } = {}) {
  const end = performance.now() + msMax;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`${what} did not come within ${msMax / 1000} s\n${told()}`);
    await sleep(20);
  }
}

/** Methods of `object` fail after `msMax` where they would wait for ever: the names are told with `what`. */
export function limitMethods(object, names, what, msMax = 60_000) {
  for (const name of names) {
    const method = object[name].bind(object);
    object[name] = (...values) => withLimit(method(...values), `${what}.${name}(${told(values)})`, msMax);
  }
  return object;
}

const told = (values) =>
  values
    .map((value) => String(value))
    .join(', ')
    .slice(0, 200);

const living = new Set();
const killAll = () => {
  for (const child of living) child.kill('SIGKILL');
};
process.once('exit', killAll);
process.once('SIGTERM', () => process.exit(143));

/**
 * Binds a child to this process: it does not keep this process from its end, and is killed with it, also after a test
 * that failed before it stopped what it had started. Returns { exited, stop(signal) }: `exited` is a promise of
 * { code, signal }; `stop` ends the child and fails, after a SIGKILL, if it does not end by itself. `log` returns what
 * the child has said.
 */
export function boundChild(child, what, log = () => '') {
  living.add(child);
  for (const handle of [child, child.stdin, child.stdout, child.stderr]) handle?.unref();
  const exited = new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      living.delete(child);
      resolve({ code, signal });
    });
  });
  const stop = async (signal = 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    const end = `the end of ${what} (pid ${child.pid}) after ${signal}`;
    try {
      return await withLimit(exited, end, STOP_MS_MAX);
    } catch (error) {
      child.kill('SIGKILL');
      throw new Error(`${error.message}: ended by SIGKILL\n${log().slice(-4000)}`);
    }
  };
  return { exited, stop };
}
