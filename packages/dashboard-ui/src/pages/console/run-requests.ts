import {
  chosenRequests,
  isOfLines,
  type SentRequest,
  sentRequest,
  type Variables,
} from '../../console-language/request-text.js';
import type { ConsoleFile } from '../../console-language/json-node.js';
import { errorPlace } from '../../console-language/error-places.js';
import type { Problem } from '../../console-language/json-node.js';
import { type RawAnswer, rawCall } from '../../request/raw-call.js';
import { formatBytes, formatCount } from '../../state/format.js';
import { withPretty } from './shown-answer.js';

/** A request that was run, and its answer. */
export interface RunRequest {
  /** As it is in the editor. */
  readonly text: string;
  readonly sent: SentRequest;
  readonly answer: RawAnswer;
  /** The cluster's error at its place in the editor; null if there is none. */
  readonly problem: Problem | null;
}

const ERROR_CHARACTERS_MAX = 1_000_000;

/** Runs the chosen requests one after the other. Throws if the signal aborts. */
export async function* runRequests(
  file: ConsoleFile,
  text: string,
  selection: { readonly from: number; readonly to: number },
  variables: Variables,
  signal: AbortSignal,
): AsyncGenerator<RunRequest> {
  for (const request of chosenRequests(file.requests, selection.from, selection.to)) {
    const sent = sentRequest(request, text, variables);
    const contentType = isOfLines(sent.path) ? 'application/x-ndjson' : 'application/json';
    const answer = await rawCall({ ...sent, path: withPretty(sent.path), contentType }, signal);
    yield {
      text: text.slice(request.from, request.to),
      sent,
      answer,
      problem: answer.status < 400 ? null : problemOf(answer, sent, text, request.to),
    };
  }
}

function problemOf({ text: said }: RawAnswer, sent: SentRequest, text: string, end: number): Problem | null {
  if (sent.body === null || said.length > ERROR_CHARACTERS_MAX) return null;
  let json: unknown;
  try {
    json = JSON.parse(said);
  } catch {
    return null;
  }
  const placed = errorPlace(json, sent.body);
  if (placed === null) return null;
  const from = Math.min(sent.placeOf(placed.offset), end);
  const word = /^(?:"(?:[^"\\\n]|\\.)*"|[\w.-]+|\S)/.exec(text.slice(from, end))?.[0].length ?? 0;
  return { from, to: Math.min(end, from + Math.max(1, word)), message: placed.message, severity: 'error' };
}

/** `200 OK · 12 ms · 1.2 KB`; of several requests their number and the worst status. */
export function statusText(runs: readonly RunRequest[]): string {
  const [first] = runs;
  if (first === undefined) return '';
  const millis = runs.reduce((sum, { answer }) => sum + answer.millis, 0);
  const bytes = runs.reduce((sum, { answer }) => sum + answer.bytes.length, 0);
  const worst = runs.reduce((a, b) => (rank(b.answer.status) > rank(a.answer.status) ? b : a)).answer;
  const status = worst.status === 0 ? 'No answer' : `${worst.status} ${worst.statusText}`.trim();
  const count = runs.length === 1 ? '' : `${formatCount(runs.length)} requests · `;
  return `${count}${status} · ${formatCount(Math.round(millis))} ms · ${formatBytes(bytes)}`;
}

const rank = (status: number): number => (status === 0 ? 1_000 : status);

/** The answers as text: one as it came, several below the request of each. */
export function answerText(runs: readonly RunRequest[]): string {
  if (runs.length === 1) return shownText(runs[0]!);
  return runs.map((run) => `# ${run.sent.method} ${run.sent.path}: ${run.answer.status}\n${shownText(run)}`).join('\n');
}

function shownText({ answer, sent }: RunRequest): string {
  if (answer.status === 0) return 'The dashboard does not answer.';
  return sent.method === 'HEAD' && answer.text === '' ? `${answer.status} ${answer.statusText}` : answer.text;
}
