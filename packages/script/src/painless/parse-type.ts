import type { TokenReader } from './token-reader.js';
import type { WrittenType } from './tree.js';

/** Returns how many tokens from `from` on are a type, brackets included; 0 if none begins there. */
export function typeLength(reader: TokenReader, from = 0): number {
  const first = reader.peek(from).kind;
  if (first !== 'def' && first !== 'primitive' && first !== 'id') return 0;
  let length = 1;
  if (first === 'id') while (reader.is('.', from + length) && reader.peek(from + length + 1).kind === 'id') length += 2;
  while (reader.is('[', from + length) && reader.is(']', from + length + 1)) length += 2;
  return length;
}

/** Reads a type with its brackets. */
export function parseType(reader: TokenReader): WrittenType {
  const { name, at } = parseTypeName(reader);
  let dimensions = 0;
  while (reader.is('[') && reader.is(']', 1)) {
    reader.next();
    reader.next();
    dimensions++;
  }
  return { name, at, dimensions };
}

/** Reads the name of a type without brackets. */
export function parseTypeName(reader: TokenReader): WrittenType {
  const first = reader.peek();
  if (first.kind === 'def' || first.kind === 'primitive') reader.next();
  else reader.name();
  let name = first.text;
  while (first.kind === 'id' && reader.is('.') && reader.peek(1).kind === 'id') {
    reader.next();
    name += `.${reader.next().text}`;
  }
  return { name, at: first.at, dimensions: 0 };
}
