import { errors } from '@shoal/errors';
import { dateFormat, timeZone } from '@shoal/values';

const DEFAULT_FORMAT = 'uuuu.MM.dd';
const MATH_FORMAT = 'strict_date_optional_time||epoch_millis';

/** Renders a date expression such as `{now/d{yyyy.MM|+02:00}}`, given without its outer braces. */
function renderDate(expression: string, whole: string, nowMs: number): string {
  const open = expression.indexOf('{');
  const math = open < 0 ? expression : expression.slice(0, open);
  const pattern = open < 0 ? DEFAULT_FORMAT : expression.slice(open + 1, -1);
  if (open >= 0 && (!expression.endsWith('}') || pattern === ''))
    throw refuse(whole, 'invalid dynamic name expression. missing date format');
  const [format = DEFAULT_FORMAT, zoneId = 'UTC'] = pattern.split('|');
  const zone = timeZone(zoneId);
  const ms = dateFormat(MATH_FORMAT).parseRounded(math, { roundUp: false, now: () => nowMs, zone });
  return dateFormat(format).print(ms, zone);
}

function refuse(name: string, reason: string): Error {
  return errors.parse(
    `${reason.startsWith('invalid') ? '' : 'invalid dynamic name expression '}${reason} in [${name}]`,
  );
}

/** Returns the index of the brace that closes the one before `start`, counting nested braces; -1 if there is none. */
function closingBrace(text: string, start: number): number {
  let depth = 1;
  for (let i = start; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i;
  }
  return -1;
}

/** Resolves a date math name such as `<logs-{now/d}>`; other names are returned as they are. */
export function resolveDateMath(name: string, nowMs: number): string {
  if (name.length < 3 || !name.startsWith('<') || !name.endsWith('>')) return name;
  const text = name.slice(1, -1);
  let result = '';
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === '\\' && i + 1 < text.length) result += text[++i]!;
    else if (char === '{') {
      const end = closingBrace(text, i + 1);
      if (end < 0) throw refuse(text, 'date math placeholder is open ended');
      result += renderDate(text.slice(i + 1, end), text, nowMs);
      i = end;
    } else if (char === '}') throw refuse(text, 'invalid character at position [' + i + ']');
    else result += char;
  }
  return result;
}
