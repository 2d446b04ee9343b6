import { type ApiError, errors, toErrorBody } from '@shoal/errors';
import { type IndexAccess, checkClusterBlocks } from '@shoal/state';
import { errorOf, shard as messages } from '@shoal/protocol';
import { ACTIONS, accessOf, limitsBytes } from '../access.js';
import type { CoordinatorContext } from '../context.js';
import type { CallContext, JsonAnswer } from '../call.js';
import { encodeJson, encodeUtf8 } from '../json-bytes.js';
import { copiesToRead, noCopyForGet, requestFirst } from './choose-copy.js';
import { type DocumentPlace, placeOf } from './get.js';
import { getItem } from './get-message.js';
import type { MultiGetRequest } from './get-request.js';
import { countWanted, type WantedDocument, parseMultiGet } from './multi-get-body.js';
import { documentChunks } from './render-get.js';
import { takeTurns } from '../turns.js';

interface ShardGets {
  readonly place: DocumentPlace;
  readonly items: { readonly position: number; readonly wanted: WantedDocument; readonly routing: string | null }[];
}

const OPEN = encodeUtf8('{"docs":[');
const COMMA = encodeUtf8(',');
const CLOSE = encodeUtf8(']}');

function failure(wanted: WantedDocument, error: ApiError): Uint8Array[] {
  return [encodeJson({ _index: wanted.index, _id: wanted.id, error: toErrorBody(error)['error'] })];
}

function group(
  context: CoordinatorContext,
  wanted: readonly WantedDocument[],
  answers: Uint8Array[][],
  access: IndexAccess,
): ShardGets[] {
  const state = context.cluster.state();
  const groups = new Map<string, ShardGets>();
  wanted.forEach((document, position) => {
    try {
      if (document.id === '') throw errors.illegalArgument("Ids can't be empty");
      const place = placeOf(state, document.index, document.id, document.routing, context.clock.now(), access);
      const key = `${place.index.uuid}/${place.shard}/${place.limits === null ? '' : JSON.stringify(place.limits)}`;
      if (!groups.has(key)) groups.set(key, { place, items: [] });
      groups.get(key)!.items.push({ position, wanted: document, routing: place.routing });
    } catch (error) {
      answers[position] = failure(document, context.apiError(error));
    }
  });
  return [...groups.values()];
}

async function fetchShard(
  context: CoordinatorContext,
  gets: ShardGets,
  request: MultiGetRequest,
  call: CallContext,
): Promise<messages.GetResult[]> {
  const { place, items } = gets;
  const wanted: messages.GetRequest = {
    shard: { indexUuid: place.index.uuid, shard: place.shard },
    indexName: place.index.name,
    realtime: request.realtime,
    refresh: request.refresh,
    items: items.map((item) => getItem(item.wanted.id, item.routing, item.wanted)),
    access: limitsBytes(place.limits, context.clock.now()),
  };
  const copies = copiesToRead(context, place.index, place.shard, request.preference);
  const answer = await requestFirst(context, {
    copies,
    request: wanted,
    call,
    none: noCopyForGet(place.index.name, items[0]!.wanted.id, items[0]!.routing),
  });
  return answer.items;
}

async function answerShard(
  context: CoordinatorContext,
  gets: ShardGets,
  request: MultiGetRequest,
  call: CallContext,
  answers: Uint8Array[][],
): Promise<void> {
  try {
    const results = await fetchShard(context, gets, request, call);
    gets.items.forEach(({ position, wanted }, i) => {
      const result = results[i]!;
      answers[position] = result.error
        ? failure(wanted, errorOf(result.error))
        : documentChunks(gets.place.index.name, wanted.id, result, call.withType);
    });
  } catch (error) {
    for (const { position, wanted } of gets.items) answers[position] = failure(wanted, context.apiError(error));
  }
}

/** Documents that are read before other requests have their turn. */
const DOCUMENTS_AT_ONCE = 500;
/** Bytes that a wanted document takes until it is answered, besides its answer. */
const WANTED_BYTES = 200;
const LABEL = '<mget>';

/** Reads documents, with one message for each shard; returns their answers, with commas between them. */
async function readPart(
  context: CoordinatorContext,
  wanted: readonly WantedDocument[],
  request: MultiGetRequest,
  call: CallContext,
): Promise<Buffer> {
  const answers = new Array<Uint8Array[]>(wanted.length);
  const groups = group(context, wanted, answers, accessOf(call, ACTIONS.multiGet));
  await Promise.all(groups.map((gets) => answerShard(context, gets, request, call, answers)));
  return Buffer.concat(answers.flatMap((answer, i) => (i === 0 ? answer : [COMMA, ...answer])));
}

/**
 * Reads many documents, some hundreds at a time. A document that fails has its error in the answer. What is wanted and
 * answered is charged to the bytes in flight.
 */
export async function multiGet(
  context: CoordinatorContext,
  request: MultiGetRequest,
  call: CallContext,
): Promise<JsonAnswer> {
  const turns = takeTurns(context.clock, call.signal);
  const releases = [context.inFlight.charge(countWanted(request.body) * WANTED_BYTES, LABEL)];
  try {
    const wanted = await parseMultiGet(request, turns);
    checkClusterBlocks(context.cluster.state(), 'read');
    const chunks: Uint8Array[] = [OPEN];
    for (let from = 0; from < wanted.length; from += DOCUMENTS_AT_ONCE) {
      if (from > 0) chunks.push(COMMA);
      const part = await readPart(context, wanted.slice(from, from + DOCUMENTS_AT_ONCE), request, call);
      releases.push(context.inFlight.charge(part.length, LABEL));
      chunks.push(part);
      await turns.pause();
    }
    return { status: 200, chunks: [...chunks, CLOSE] };
  } finally {
    for (const release of releases) release();
  }
}
