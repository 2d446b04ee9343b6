import { type ApiError, renderCause, toApiError, toErrorBody } from '@shoal/errors';
import { jsonBytes } from './render.js';
import type { RestResponse } from '../routing/route.js';

/** Class name of an error type, for short errors: `illegal_argument_exception` → `IllegalArgumentException`. */
function className(type: string): string {
  return type
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function traced(error: ApiError): Record<string, unknown> {
  return { ...renderCause(error), stack_trace: error.stack ?? '' };
}

function withTrace(body: Record<string, unknown>, error: ApiError): Record<string, unknown> {
  const inner = body['error'] as Record<string, unknown>;
  const roots = (inner['root_cause'] as Record<string, unknown>[]).map((root) => ({
    ...root,
    stack_trace: error.stack ?? '',
  }));
  const { caused_by: cause, ...rest } = inner;
  return {
    ...body,
    error: {
      ...rest,
      root_cause: roots,
      ...(cause && error.causedBy ? { caused_by: traced(error.causedBy) } : {}),
      stack_trace: error.stack ?? '',
    },
  };
}

/** Headers of an error (`WWW-Authenticate`), which its body contains too. */
function headersOf({ meta }: ApiError): Pick<RestResponse, 'headers'> {
  const header = meta['header'];
  return header === undefined ? {} : { headers: header as Record<string, string | readonly string[]> };
}

/** Creates the answer to a failed request. */
export type ErrorAnswer = (
  thrown: unknown,
  options: { readonly trace: boolean; readonly detailed: boolean },
) => RestResponse;

/**
 * Returns an `ErrorAnswer` that keeps rendered errors: under overload the same error refuses thousands of requests a
 * second.
 */
export function createErrorAnswer(): ErrorAnswer {
  let [last, rendered]: [unknown, RestResponse | null] = [null, null];
  return (thrown, options) => {
    if (options.trace || !options.detailed) return errorAnswer(thrown, options);
    if (thrown !== last) [last, rendered] = [thrown, null];
    else if (rendered === null) rendered = asBytes(errorAnswer(thrown, options));
    return rendered ?? errorAnswer(thrown, options);
  };
}

function asBytes(answer: RestResponse): RestResponse {
  if (!('json' in answer)) return answer;
  const { json, ...rest } = answer;
  return { ...rest, bytes: jsonBytes(json) };
}

function errorAnswer(thrown: unknown, options: { readonly trace: boolean; readonly detailed: boolean }): RestResponse {
  const error = toApiError(thrown);
  if (!options.detailed) {
    return {
      status: error.status,
      json: { error: `${className(error.type)}[${error.reason}]`, status: error.status, ...error.beside },
      ...headersOf(error),
    };
  }
  const body = toErrorBody(error);
  return { status: error.status, json: options.trace ? withTrace(body, error) : body, ...headersOf(error) };
}

/** An error whose answer is only a text, as for routing and media types. */
export function plainError(status: number, text: string, headers?: Readonly<Record<string, string>>): RestResponse {
  return { status, json: { error: text, status }, ...(headers ? { headers } : {}) };
}
