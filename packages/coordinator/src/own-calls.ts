import { deleteRequest } from './by-query/delete-request.js';
import type { CallContext, JsonAnswer } from './call.js';
import type { Coordinator } from './coordinator-api.js';
import { wholeSearch } from './search/parse/whole-search.js';
import { errors } from '@shoal/errors';
import {
  isLargeJson,
  type JsonObject,
  parseSource,
  parseSourceInTurns,
  readSource,
  readSourceInTurns,
  stringify,
} from '@shoal/json';
import type { Subject } from '@shoal/security';
import { OPEN_ONLY } from '@shoal/state';

const TIMEOUT_MS = 60_000;
const PIT_KEEP_ALIVE_MS = 300_000;

/** A document to write. */
export interface DocumentToWrite {
  /** Null for the id that the index makes of the document. */
  readonly id: string | null;
  readonly source: JsonObject;
}

/** Makes a request to the cluster on behalf of somebody, until a signal ends it. */
export class OwnCalls {
  readonly #coordinator: Coordinator;
  readonly #call: CallContext;
  readonly #isAside: boolean;

  /** `isAside`: searches wait for requests (`Clock.aside`). */
  constructor(coordinator: Coordinator, subject: Subject, signal: AbortSignal, isAside = false) {
    this.#coordinator = coordinator;
    this.#isAside = isAside;
    this.#call = { signal, opaqueId: null, withType: false, subject };
  }

  /** Runs a search of a point in time, or of indices. Whole doubles keep their form (`readSource`). */
  async search(names: readonly string[], body: JsonObject): Promise<JsonObject> {
    const { chunks } = await this.#search(names, body);
    const bytes = Buffer.concat(chunks);
    return isLargeJson(bytes) ? await readSourceInTurns(bytes, () => this.#coordinator.turn()) : readSource(bytes);
  }

  /** Runs a search; numbers of the answer are numbers, whatever their form. */
  async searchPlain(names: readonly string[], body: JsonObject): Promise<JsonObject> {
    const { chunks } = await this.#search(names, body);
    const bytes = Buffer.concat(chunks);
    return isLargeJson(bytes) ? await parseSourceInTurns(bytes, () => this.#coordinator.turn()) : parseSource(bytes);
  }

  async #search(names: readonly string[], body: JsonObject): Promise<JsonAnswer> {
    if (this.#isAside) await this.#coordinator.aside();
    const request = wholeSearch(body['pit'] === undefined ? names : [], Buffer.from(stringify(body)));
    return this.#coordinator.search(request, this.#call);
  }

  /** Throws what a search would throw for its body alone. */
  check(body: JsonObject): void {
    this.#coordinator.checkSearch(wholeSearch([], Buffer.from(stringify(body))));
  }

  /** Counts the documents of indices that match a query. */
  async count(names: readonly string[], query: JsonObject, runtime: unknown): Promise<number> {
    const answer = await this.search(names, { size: 0, track_total_hits: true, query, runtime_mappings: runtime });
    return (answer['hits'] as { total: { value: number } }).total.value;
  }

  /** Opens a point in time and returns its id. */
  async openPointInTime(names: readonly string[]): Promise<string> {
    const choice = { routing: null, preference: null };
    const answer = await this.#coordinator.openPointInTime(
      { names, options: OPEN_ONLY },
      PIT_KEEP_ALIVE_MS,
      choice,
      this.#call,
    );
    return jsonOf(answer)['id'] as string;
  }

  /** Deletes the documents that match a query, so that searches see it; returns how many. */
  async deleteMatching(index: string, query: JsonObject): Promise<number> {
    const { json } = await this.#coordinator.byQuery(deleteRequest(index, query), this.#call).done;
    return json['deleted'] as number;
  }

  async closePointInTime(id: string): Promise<void> {
    const call = { ...this.#call, signal: new AbortController().signal };
    await this.#coordinator.closePointInTime(id, call).catch(() => undefined);
  }

  /** Writes documents over those of their ids. Throws the error of the first that was refused. */
  async write(index: string, documents: readonly DocumentToWrite[], pipeline: string | null): Promise<void> {
    if (documents.length === 0) return;
    const lines = documents.map(
      ({ id, source }) => `${stringify({ index: id === null ? {} : { _id: id } })}\n${stringify(source)}\n`,
    );
    const answer = await this.#coordinator.bulk(
      {
        body: Buffer.from(lines.join('')),
        index,
        routing: null,
        pipeline,
        requireAlias: null,
        updateSource: undefined,
        listsPipelines: false,
        allowType: false,
        refresh: 'none',
        timeoutMs: TIMEOUT_MS,
        waitForActiveShards: null,
        // It is computed again.
        quarantine: false,
      },
      this.#call,
    );
    const { items, errors: failed } = jsonOf(answer) as unknown as BulkAnswer;
    const first = failed
      ? items.map((item) => Object.values(item)[0]!).find(({ error }) => error !== undefined)
      : undefined;
    if (first !== undefined)
      throw errors.illegalState(
        `Bulk index experienced failures. Significant failures: [${first.error!.type}: ${first.error!.reason}]`,
        { status: first.status },
      );
  }
}

interface BulkAnswer {
  readonly errors: boolean;
  readonly items: readonly Readonly<
    Record<string, { readonly status: number; readonly error?: { readonly type: string; readonly reason: string } }>
  >[];
}

const jsonOf = ({ chunks }: JsonAnswer): JsonObject => readSource(Buffer.concat(chunks)) as JsonObject;
