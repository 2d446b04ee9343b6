import { type Answer, clusterCall, reasonOf } from '../request/own-call.js';

/** Size of one bulk. */
const BULK_CHARACTERS_MAX = 5 * 1024 * 1024;
const BULK_DOCUMENTS_MAX = 5_000;
/** Pauses after an answer 429, doubled each time. */
const PAUSE_MS_MIN = 1_000;
const PAUSE_MS_MAX = 30_000;
const PAUSES_MAX = 20;
/** Rejected documents that are kept to be saved. */
const REJECTED_KEPT_MAX = 10_000;

/** How far an import is. */
export interface ImportProgress {
  readonly imported: number;
  readonly rejected: number;
  /** Part of the file that was read, 0 to 1. */
  readonly part: number;
}

/** An import that ended. */
export interface ImportOutcome extends ImportProgress {
  /** Rejected documents as lines of JSON with the reason of each; the first 10,000. */
  readonly rejectedLines: readonly string[];
}

interface BulkAnswer {
  readonly items?: readonly {
    readonly create: { readonly status: number; readonly error?: { readonly reason?: string } };
  }[];
}

/**
 * Writes documents into an index, 5 MB at once, slower while the cluster answers 429. Throws the cluster's words if it
 * refuses a bulk as a whole, and an abort.
 */
export async function importDocuments(
  index: string,
  pieces: AsyncIterable<{ readonly documents: readonly string[]; readonly part: number }>,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  let [imported, rejected, part] = [0, 0, 0];
  const rejectedLines: string[] = [];
  let waiting: string[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const documents = waiting;
    [waiting, size] = [[], 0];
    const { items = [] } = (await sendBulk(index, documents, signal)).json as BulkAnswer;
    for (const [i, { create }] of items.entries()) {
      if (create.status < 300) imported++;
      else {
        rejected++;
        const reason = JSON.stringify(create.error?.reason ?? `status ${create.status}`);
        if (rejectedLines.length < REJECTED_KEPT_MAX)
          rejectedLines.push(`{"reason":${reason},"document":${documents[i]}}`);
      }
    }
    onProgress({ imported, rejected, part });
  };
  for await (const piece of pieces) {
    signal.throwIfAborted();
    for (const document of piece.documents) {
      if (size + document.length > BULK_CHARACTERS_MAX || waiting.length === BULK_DOCUMENTS_MAX) await flush();
      waiting.push(document);
      size += document.length;
    }
    ({ part } = piece);
    onProgress({ imported, rejected, part });
  }
  await flush();
  return { imported, rejected, part, rejectedLines };
}

async function sendBulk(index: string, documents: readonly string[], signal: AbortSignal): Promise<Answer> {
  const body = documents.map((document) => `{"create":{}}\n${document}\n`).join('');
  for (let attempt = 0; ; attempt++) {
    const answer = await clusterCall('POST', `/${encodeURIComponent(index)}/_bulk`, { body, signal });
    if (answer.status === 200) return answer;
    if (answer.status !== 429 || attempt === PAUSES_MAX) throw new Error(reasonOf(answer));
    await pause(Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** attempt), signal);
  }
}

function pause(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = window.setTimeout(resolve, millis);
    signal.addEventListener('abort', () => {
      window.clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
