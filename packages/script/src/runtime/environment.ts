import { errors } from '@shoal/errors';

/** Returns the named parts of a text, as JSON; null for a text that does not match. */
export type TextExtractor = (text: string) => Record<string, unknown> | null;

/** What scripts and their bounds take from outside: clocks in milliseconds, randomness, and languages of patterns. */
export interface ScriptEnvironment {
  /** A clock that only grows. */
  readonly nowMs: () => number;
  /** Milliseconds of processor that the process has taken; absent where nobody measures it. */
  readonly processorMs?: () => number;
  /** Time since 1970. */
  readonly wallMs: () => number;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Compiles an expression of grok or dissect. Throws illegal_argument_exception for a malformed one. */
  readonly extractor: (syntax: 'grok' | 'dissect', expression: string) => TextExtractor;
}

const NO_EXTRACTOR: ScriptEnvironment['extractor'] = (syntax) => {
  throw errors.illegalArgument(`[${syntax}] is not known here`);
};

let environment: ScriptEnvironment = {
  nowMs: () => 0,
  wallMs: () => 0,
  random: () => 0.5,
  extractor: NO_EXTRACTOR,
};

/** Gives scripts of this process their clocks; until then time stands still for them. */
export function installScriptEnvironment(given: ScriptEnvironment): void {
  environment = given;
}

export function scriptEnvironment(): ScriptEnvironment {
  return environment;
}
