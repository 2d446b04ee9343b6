// One side of the comparison: sends steps, keeps the digits of large numbers, cleans up.

const ANSWER_MS_MAX = 15_000;
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Parses JSON; whole numbers of more than 15 digits become text with a mark before it. */
export function parseAnswer(text) {
  try {
    return JSON.parse(text.replace(TOKEN, (token) => (/^-?\d{16,}$/.test(token) ? `"\\u0001${token}"` : token)));
  } catch {
    return text;
  }
}
const printed = (value) => JSON.stringify(value).replace(/"\\u0001(-?\d+)"/g, '$1');

/** The value at `path` of an answer; `last` is the last entry of a list. */
function valueAt(answer, path) {
  let value = answer;
  for (const key of path.split('.')) value = Array.isArray(value) && key === 'last' ? value.at(-1) : value?.[key];
  return value;
}

/** Replaces `{{2.path}}` by what the answer to step 2 has there. */
function filledIn(value, answers) {
  if (typeof value === 'string') {
    const match = /^\{\{(\d+)\.(.+)\}\}$/.exec(value);
    return match === null ? value : (valueAt(answers[Number(match[1])]?.body, match[2]) ?? null);
  }
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((entry) => filledIn(entry, answers));
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, filledIn(entry, answers)]));
}

/** So many kept connections in a row may turn out to be closed. */
const IDLE_CONNECTIONS_MAX = 5;

/** Whether the server closed the connection, idle just as a request was sent, or instead of an answer. */
const isClosed = (error) => error.cause?.code === 'UND_ERR_SOCKET';

/** A client of the server at `url`. Bodies that are lists go as lines. */
export function server(url) {
  async function send(step, answers = []) {
    const query = Object.keys(step.query ?? {}).length > 0 ? `?${new URLSearchParams(step.query)}` : '';
    const isLines = Array.isArray(step.body);
    const body = step.body === undefined ? undefined : filledIn(step.body, answers);
    const text = isLines ? `${body.flat().map(printed).join('\n')}\n` : body === undefined ? undefined : printed(body);
    const type = isLines ? 'application/x-ndjson' : 'application/json';
    const hasBody = text !== undefined;
    // A body of GET is sent as POST does: fetch has none for GET.
    const method = hasBody && step.method === 'GET' ? 'POST' : step.method;
    const request = {
      method,
      ...(hasBody ? { body: text, headers: { 'content-type': type } } : {}),
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    };
    const ask = (triesLeft) =>
      fetch(`${url}${encodeURI(step.path)}${query}`, request).catch((error) => {
        if (triesLeft === 0 || !isClosed(error)) throw error;
        return ask(triesLeft - 1);
      });
    try {
      const answer = await ask(IDLE_CONNECTIONS_MAX);
      return { status: answer.status, body: parseAnswer(await answer.text()) };
    } catch (error) {
      if (error.name === 'TimeoutError') return { status: 0, body: 'no answer in time' };
      if (isClosed(error)) return { status: 0, body: 'no answer' };
      throw error;
    }
  }
  return {
    url,
    send,
    /** Sends the steps one after the other and returns their answers. */
    async run(steps) {
      const answers = [];
      for (const step of steps) answers.push(await send(step, answers));
      return answers;
    },
    /** Removes indices and templates of the prefix. */
    async clean(prefix, { templates = false } = {}) {
      const state = {
        method: 'GET',
        path: '/_cluster/state/metadata',
        query: { filter_path: 'metadata.indices.*.state' },
      };
      const indices = Object.keys((await send(state)).body.metadata?.indices ?? {});
      for (const index of indices.filter((name) => name.startsWith(prefix))) {
        const remove = { method: 'DELETE', path: `/${index}` };
        if ((await send(remove)).status === 200) continue;
        for (const block of ['metadata', 'read_only'])
          await send({ method: 'PUT', path: `/${index}/_settings`, body: { [`index.blocks.${block}`]: false } });
        const again = await send(remove);
        // A call that was given up may have removed it.
        if (again.status >= 400 && again.status !== 404) throw new Error(`${url}: ${JSON.stringify(again.body)}`);
      }
      if (!templates) return;
      for (const kind of ['_index_template', '_component_template', '_template'])
        await send({ method: 'DELETE', path: `/${kind}/${prefix}*` });
    },
  };
}
