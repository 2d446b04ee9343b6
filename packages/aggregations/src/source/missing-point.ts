import { type ApiError, errors, isApiError } from '@shoal/errors';
import { type GeoPoint, parseGeoPoint } from '@shoal/values';

/** The point that a text spells. Throws parse_exception, also for a geohash that is none. */
export function pointOf(text: string): GeoPoint {
  try {
    return parseGeoPoint(text)[0]!;
  } catch (thrown) {
    throw isApiError(thrown) ? parseFailure(thrown) : thrown;
  }
}

const parseFailure = (cause: ApiError): ApiError =>
  cause.type === 'illegal_argument_exception' ? errors.parse(cause.reason!, { cause }) : cause;
