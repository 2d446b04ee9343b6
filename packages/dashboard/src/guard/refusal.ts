/** An answer that ends a request before it does anything; the shape of its body is Kibana's. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answer to a caller without a session. */
export const LOG_IN: Refusal = { status: 401, message: 'Log in first.' };

const NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Request Entity Too Large',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** Body of a refusal: `{"statusCode":400,"error":"Bad Request","message":"…"}`. */
export const refusalBody = ({ status, message }: Refusal): object => ({
  statusCode: status,
  error: NAMES[status] ?? 'Error',
  message,
});
