import { BodyError } from '../guard/strict-json.js';

/** Parts of a form that are looked at. */
const PARTS_MAX = 20;
const HEADER_BYTES_MAX = 8 * 1024;
const CRLF = '\r\n';

/**
 * The bytes of a named part of a body of `multipart/form-data` (RFC 7578). Throws BodyError if the body is no such
 * form, or has no such part.
 */
export function partOf(body: Buffer, contentType: string, name: string): Buffer {
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  if (boundary === null) throw new BodyError('The form has no boundary.');
  const delimiter = Buffer.from(`--${boundary[1] ?? boundary[2]!}`);
  let at = body.indexOf(delimiter);
  if (at === -1 || (at > 0 && body.toString('latin1', at - 2, at) !== CRLF))
    throw new BodyError('The form does not begin with its boundary.');
  const separator = Buffer.concat([Buffer.from(CRLF), delimiter]);
  for (let part = 0; part < PARTS_MAX; part++) {
    const begin = at + delimiter.length;
    if (body.toString('latin1', begin, begin + 2) === '--') break;
    const headersEnd = body.indexOf(CRLF + CRLF, begin);
    const end = headersEnd === -1 ? -1 : body.indexOf(separator, headersEnd + CRLF.length);
    if (end === -1 || headersEnd - begin > HEADER_BYTES_MAX) throw new BodyError('The form ends within a part.');
    const headers = body.toString('utf8', begin, headersEnd);
    if (partName(headers) === name) return body.subarray(Math.min(headersEnd + 4, end), end);
    at = end + CRLF.length;
  }
  throw new BodyError(`The form has no part [${name}].`);
}

/** The name in `Content-Disposition: form-data; name="file"; filename="a.ndjson"`. */
function partName(headers: string): string | null {
  const disposition = headers.split(CRLF).find((line) => /^content-disposition:\s*form-data/i.test(line));
  const found = /;\s*name=(?:"([^"]*)"|([^\s;"]+))/i.exec(disposition ?? '');
  return found === null ? null : (found[1] ?? found[2] ?? null);
}
