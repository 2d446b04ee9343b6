/** A parsed pattern of java.text.DecimalFormat: `0.00`, `#,##0.0#`, `0%`, with literals before and after the number. */
interface DecimalPattern {
  readonly prefix: string;
  readonly suffix: string;
  readonly minInteger: number;
  readonly minFraction: number;
  readonly maxFraction: number;
  readonly grouping: number;
  readonly multiplier: number;
}

function parsePattern(pattern: string): DecimalPattern {
  const positive = pattern.split(';')[0]!;
  const match = /^([^#0.,]*)([#0,]*)(?:\.([#0]*))?(.*)$/s.exec(positive)!;
  const integer = match[2]!;
  const fraction = match[3] ?? '';
  const comma = integer.lastIndexOf(',');
  const affix = (text: string): string => text.replaceAll("'", '');
  return {
    prefix: affix(match[1]!),
    suffix: affix(match[4]!),
    minInteger: integer.replace(/[^0]/g, '').length,
    minFraction: fraction.replace(/[^0]/g, '').length,
    maxFraction: fraction.length,
    grouping: comma < 0 ? 0 : integer.length - comma - 1,
    multiplier: match[4]!.includes('%') || match[1]!.includes('%') ? 100 : 1,
  };
}

/** Rounds half to even, as DecimalFormat does. */
function rounded(value: number, digits: number): string {
  const scaled = value * 10 ** digits;
  if (Math.abs(scaled) < 2 ** 52 && Math.abs(scaled % 1) === 0.5) {
    const floor = Math.floor(scaled);
    return ((floor % 2 === 0 ? floor : floor + 1) / 10 ** digits).toFixed(digits);
  }
  return value.toFixed(digits);
}

function grouped(integer: string, size: number): string {
  if (size === 0) return integer;
  let text = integer;
  for (let at = text.length - size; at > 0; at -= size) text = `${text.slice(0, at)},${text.slice(at)}`;
  return text;
}

/** Makes the function that prints numbers by a pattern of java.text.DecimalFormat. */
export function decimalFormat(pattern: string): (value: number) => string {
  const p = parsePattern(pattern);
  return (value) => {
    if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
    const [whole, decimals = ''] = rounded(Math.abs(value) * p.multiplier, Math.min(p.maxFraction, 100)).split('.') as [
      string,
      string?,
    ];
    let fraction = decimals;
    while (fraction.length > p.minFraction && fraction.endsWith('0')) fraction = fraction.slice(0, -1);
    const integer = whole === '0' && p.minInteger === 0 && fraction !== '' ? '' : whole.padStart(p.minInteger, '0');
    const isZero = !/[1-9]/.test(whole + fraction);
    const sign = value < 0 && !isZero ? '-' : '';
    return `${sign}${p.prefix}${grouped(integer, p.grouping)}${fraction === '' ? '' : `.${fraction}`}${p.suffix}`;
  };
}
