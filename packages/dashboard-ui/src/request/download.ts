import { boot, isSessionOver } from '../state/session.js';
import { type Answer, reasonOf } from './own-call.js';

/** Bytes that are gathered before they are handed to the browser, which keeps large files on its disk. */
const PART_BYTES = 8 * 2 ** 20;

/** How far a download is, and what its answer told. */
export interface DownloadProgress {
  readonly bytes: number;
}

/** What became of a download. */
export type DownloadOutcome =
  | { readonly kind: 'saved'; readonly headers: Headers }
  | { readonly kind: 'failed'; readonly reason: string };

/** Posts to the server and saves the answer as a file. `signal` ends it, and the work of the server with it. */
export async function download(
  path: string,
  body: unknown,
  name: string,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (progress: DownloadProgress) => void },
): Promise<DownloadOutcome> {
  try {
    const answer = await fetch(boot.basePath + path, {
      method: 'POST',
      headers: { 'kbn-xsrf': 'shoal', 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
    if (answer.status === 401) isSessionOver.value = true;
    if (!answer.ok || answer.body === null) return { kind: 'failed', reason: await refusalOf(answer) };
    save(await gather(answer.body, answer.headers.get('content-type') ?? '', onProgress), name);
    return { kind: 'saved', headers: answer.headers };
  } catch (error) {
    if (signal.aborted) return { kind: 'failed', reason: 'The export was stopped.' };
    return { kind: 'failed', reason: `The export broke off: ${(error as Error).message}` };
  }
}

async function refusalOf(answer: Response): Promise<string> {
  const text = await answer.text();
  let json: unknown = null;
  try {
    json = JSON.parse(text);
  } catch {
    // The status has to do.
  }
  const read: Answer = { status: answer.status, text, json, millis: 0, headers: answer.headers };
  return reasonOf(read);
}

async function gather(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  type: string,
  onProgress: (progress: DownloadProgress) => void,
): Promise<Blob> {
  const parts: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let [bytes, waiting] = [0, 0];
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    bytes += value.length;
    waiting += value.length;
    if (waiting < PART_BYTES) continue;
    parts.push(new Blob(chunks));
    [chunks, waiting] = [[], 0];
    onProgress({ bytes });
  }
  return new Blob([...parts, ...chunks], { type });
}

/** Has the browser keep a file. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
