import type { WireError as ErrorJson } from '@shoal/errors';
import { decodeJson, encodeJson } from '@shoal/json';
import * as shard from './generated/shard.js';
import { jsonOf, messageOf, NO_ERROR } from './wire-error.js';

/** Rewrites the answers of one action on a link to a node of version 1. */
interface Rewriting {
  readonly toVersion1: (answer: Uint8Array) => Uint8Array;
  readonly fromVersion1: (answer: Uint8Array) => Uint8Array;
}

/** A message with an error: as a nested message, in version 1 as JSON. */
interface Failing {
  error?: shard.WireError | undefined;
  errorJson?: Uint8Array | undefined;
}

const NO_BYTES = new Uint8Array(0);

const toJson = (error: shard.WireError): Uint8Array => encodeJson(jsonOf(error));
const fromJson = (bytes: Uint8Array): shard.WireError => messageOf(decodeJson(bytes) as ErrorJson);

const older = <T extends Failing>(result: T): T =>
  result.error ? { ...result, error: undefined, errorJson: toJson(result.error) } : result;
const newer = <T extends Failing>(result: T): T =>
  result.errorJson ? { ...result, error: fromJson(result.errorJson), errorJson: undefined } : result;

/** Rewriting by action. Version 1 has errors as JSON in separate fields; all other fields are the same. */
const ANSWERS: ReadonlyMap<string, Rewriting> = new Map<string, Rewriting>([
  [
    shard.methods.bulk.action,
    rewritten(shard.methods.bulk, (answer, each) => ({ ...answer, items: answer.items.map(each) })),
  ],
  [
    shard.methods.get.action,
    rewritten(shard.methods.get, (answer, each) => ({ ...answer, items: answer.items.map(each) })),
  ],
  [
    shard.methods.query.action,
    rewritten(shard.methods.query, (answer, each) => ({ ...answer, results: answer.results.map(each) })),
  ],
  [
    shard.methods.openContexts.action,
    {
      toVersion1(bytes) {
        const answer = shard.decodeOpenContextResponse(bytes);
        const errorsJson = answer.errors.map((error) => (error.type === '' ? NO_BYTES : toJson(error)));
        return shard.encodeOpenContextResponse({ ...answer, errors: [], errorsJson });
      },
      fromVersion1(bytes) {
        const answer = shard.decodeOpenContextResponse(bytes);
        const errors = answer.errorsJson.map((json) => (json.length === 0 ? NO_ERROR : fromJson(json)));
        return shard.encodeOpenContextResponse({ ...answer, errors, errorsJson: [] });
      },
    },
  ],
]);

function rewritten<Answer>(
  { encodeAnswer, decodeAnswer }: { encodeAnswer(answer: Answer): Uint8Array; decodeAnswer(bytes: Uint8Array): Answer },
  change: (answer: Answer, each: <T extends Failing>(result: T) => T) => Answer,
): Rewriting {
  return {
    toVersion1: (bytes) => encodeAnswer(change(decodeAnswer(bytes), older)),
    fromVersion1: (bytes) => encodeAnswer(change(decodeAnswer(bytes), newer)),
  };
}

/** Converts an answer of this build for a node of version 1. */
export function answerToVersion1(action: string, answer: Uint8Array): Uint8Array {
  return ANSWERS.get(action)?.toVersion1(answer) ?? answer;
}

/** Converts an answer of a node of version 1 for this build. */
export function answerFromVersion1(action: string, answer: Uint8Array): Uint8Array {
  return ANSWERS.get(action)?.fromVersion1(answer) ?? answer;
}
