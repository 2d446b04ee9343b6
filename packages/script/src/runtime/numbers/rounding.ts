import { illegalArgument, Thrown } from '../thrown.js';
import { ScriptObject } from '../script-object.js';

/** java.math.RoundingMode. */
export class RoundingMode extends ScriptObject {
  readonly javaClass = 'java.math.RoundingMode';
  readonly name: string;
  readonly ordinal: number;

  constructor(name: string, ordinal: number) {
    super();
    this.name = name;
    this.ordinal = ordinal;
  }

  toText(): string {
    return this.name;
  }

  compare(other: unknown): number {
    return this.ordinal - (other as RoundingMode).ordinal;
  }
}

/** All modes, in the order of Java's ordinals. */
export const ROUNDING_MODES: readonly RoundingMode[] = 'UP DOWN CEILING FLOOR HALF_UP HALF_DOWN HALF_EVEN UNNECESSARY'
  .split(' ')
  .map((name, i) => new RoundingMode(name, i));

export function roundingMode(name: string): RoundingMode {
  const mode = ROUNDING_MODES.find((one) => one.name === name);
  if (!mode) throw illegalArgument(`No enum constant java.math.RoundingMode.${name}`);
  return mode;
}

export const HALF_UP = roundingMode('HALF_UP');
export const HALF_EVEN = roundingMode('HALF_EVEN');

/** Divides two whole numbers and rounds the quotient. */
export function divideRounded(dividend: bigint, divisor: bigint, mode: RoundingMode): bigint {
  const quotient = dividend / divisor;
  const rest = dividend - quotient * divisor;
  if (rest === 0n) return quotient;
  const sign = dividend < 0n === divisor < 0n ? 1n : -1n;
  const twice = (rest < 0n ? -rest : rest) * 2n;
  const half = divisor < 0n ? -divisor : divisor;
  return isAway(mode, sign, twice < half ? -1 : twice > half ? 1 : 0, quotient) ? quotient + sign : quotient;
}

function isAway(mode: RoundingMode, sign: bigint, half: number, quotient: bigint): boolean {
  switch (mode.name) {
    case 'UP':
      return true;
    case 'DOWN':
      return false;
    case 'CEILING':
      return sign > 0n;
    case 'FLOOR':
      return sign < 0n;
    case 'HALF_UP':
      return half >= 0;
    case 'HALF_DOWN':
      return half > 0;
    case 'HALF_EVEN':
      return half > 0 || (half === 0 && quotient % 2n !== 0n);
    default:
      throw new Thrown('java.lang.ArithmeticException', 'Rounding necessary');
  }
}
