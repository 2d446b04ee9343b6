/** What a line of the log tells of a request: never its query, body and cookies. `nanos`: how long it took. */
export const requestLine = (
  method: string,
  url: string,
  status: number,
  nanos: number,
): Readonly<Record<string, string | number>> => ({
  'http.request.method': method,
  'url.path': url.split('?', 1)[0]!,
  'http.response.status_code': status,
  'event.duration': nanos,
});
