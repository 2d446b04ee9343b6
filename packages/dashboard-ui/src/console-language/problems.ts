import { bodyShape } from './body-shapes.js';
import { callOf, callsAt, parametersOf } from './calls.js';
import { type ConsoleFile, type ConsoleRequest, type JsonNode, type Problem, textOf } from './json-node.js';
import type { Variables } from './request-text.js';
import type { Shape } from './shape.js';

/** Problems of a file that are shown. */
const SHOWN_MAX = 200;

/** Tells what is wrong with a file. */
export type FindProblems = (file: ConsoleFile, text: string, variables: Variables) => readonly Problem[];

/**
 * Everything that is wrong with a file: errors of the syntax; calls, parameters and keys that the cluster does not
 * know; variables that are not set. In the order of the text, 200 at most.
 */
export const problemsOf: FindProblems = (file, text, variables) => createProblemFinder()(file, text, variables);

/** As `problemsOf`, for a file that is asked about at each key: only requests that changed are looked at again. */
export function createProblemFinder(): FindProblems {
  let kept = new Map<string, readonly Problem[]>();
  let keptFor: Variables | null = null;
  return (file, text, variables) => {
    const before = variables === keptFor ? kept : new Map<string, readonly Problem[]>();
    const now = new Map<string, readonly Problem[]>();
    const found = [...file.problems];
    for (const request of file.requests) {
      if (found.length >= SHOWN_MAX) break;
      const { from, to } = request;
      const written = text.slice(from, to);
      const known = now.get(written) ?? before.get(written) ?? problemsWithin(request, text, variables);
      now.set(written, known);
      for (const problem of known) found.push({ ...problem, from: problem.from + from, to: problem.to + from });
    }
    [kept, keptFor] = [now, variables];
    return found.toSorted((a, b) => a.from - b.from).slice(0, SHOWN_MAX);
  };
}

/** Problems of a request, their places counted from its begin. */
const problemsWithin = (request: ConsoleRequest, text: string, variables: Variables): readonly Problem[] =>
  [...problemsOfRequest(request, text, variables)].map((problem) => ({
    ...problem,
    from: problem.from - request.from,
    to: problem.to - request.from,
  }));

const warning = (from: number, to: number, message: string): Problem => ({ from, to, message, severity: 'warning' });

function* problemsOfRequest(request: ConsoleRequest, text: string, variables: Variables): Generator<Problem> {
  const { method, path, from, to, pathFrom } = request;
  if (path === '') return yield { from, to: request.methodTo, message: 'The path is missing.', severity: 'error' };
  for (const { 0: whole, 1: name, index } of text.slice(from, to).matchAll(/\$\{([^}\r\n]*)\}/g))
    if (!variables.has(name!))
      yield warning(from + index, from + index + whole.length, `The variable [${name}] is not set.`);
  const end = pathFrom + path.split('?', 1)[0]!.length;
  // Names of date math have slashes, and variables may hold any path.
  if (/^\/?(?:<|%3C|\$\{)/i.test(path)) return;
  const call = callOf(method, path);
  if (call === null) {
    const others = [...new Set(callsAt(path).flatMap(({ methods }) => methods))];
    const hint =
      others.length === 0 ? 'There is no such call.' : `This call takes ${others.join(', ')}, not ${method}.`;
    return yield warning(others.length === 0 ? pathFrom : from, others.length === 0 ? end : request.methodTo, hint);
  }
  yield* parameterProblems(request, parametersOf(call), call.name);
  for (const [line, value] of request.body.entries()) yield* keyProblems(value, bodyShape(call.name, line), text);
}

function* parameterProblems(
  { path, pathFrom }: ConsoleRequest,
  known: readonly string[] | null,
  call: string,
): Generator<Problem> {
  const start = path.indexOf('?');
  if (start === -1 || known === null) return;
  let at = pathFrom + start + 1;
  for (const parameter of path.slice(start + 1).split('&')) {
    const name = parameter.split('=', 1)[0]!;
    if (name !== '' && !name.includes('${') && !known.includes(name))
      yield warning(at, at + name.length, `[${call}] has no parameter [${name}].`);
    at += parameter.length + 1;
  }
}

function* keyProblems(node: JsonNode, shape: Shape, text: string): Generator<Problem> {
  for (const item of node.items ?? []) yield* keyProblems(item, shape.items?.() ?? shape, text);
  if (node.members === undefined) return;
  const keys = shape.keys?.(typeOf(node, text)) ?? {};
  for (const { key, value } of node.members) {
    const name = textOf(key, text);
    const known = Object.hasOwn(keys, name) ? keys[name] : shape.each?.();
    if (known !== undefined) {
      if (value !== null) yield* keyProblems(value, known, text);
    } else if (shape.what !== undefined && shape.isOpen !== true && key.kind === 'string')
      yield warning(key.from, key.to, `${shape.what} has no key [${name}].`);
  }
}

/** The value of the member `type`, by which the other keys are known. */
export function typeOf(node: JsonNode, text: string): string | null {
  const value = node.members?.find(({ key }) => textOf(key, text) === 'type')?.value;
  return value?.kind === 'string' ? textOf(value, text) : null;
}
