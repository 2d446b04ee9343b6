import { ConfigurationError } from '../settings/load-settings.js';

/** `--http.port 9200` as `-E http.port=9200`: what test drivers and shells find easier. */
export function dottedOptions(args: readonly string[]): string[] {
  const result: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const match = /^--([a-z][\w-]*(?:\.[\w-]+)+)(?:=(.*))?$/.exec(args[i]!);
    if (match) result.push('-E', `${match[1]}=${match[2] ?? args[++i] ?? ''}`);
    else result.push(args[i]!);
  }
  return result;
}

/** What stands after `-E`. Throws a `ConfigurationError` for what is no `key=value`. */
export function keyAndValue(text: string): [key: string, value: string] {
  const at = text.indexOf('=');
  if (at <= 0) throw new ConfigurationError(`-E takes key=value but was given [${text}]`);
  return [text.slice(0, at), text.slice(at + 1)];
}
