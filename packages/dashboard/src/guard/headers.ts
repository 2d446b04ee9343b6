import type { DashboardSettings } from '../settings/load-settings.js';

/**
 * The content policy of a page. Nothing inline runs and nothing comes from elsewhere; the nonce is for the style
 * elements of the editor. Scripts make no markup out of text (Trusted Types).
 */
export function contentPolicy({ policy, isEmbeddable }: DashboardSettings['server'], nonce: string): string {
  const frames = isEmbeddable ? ["'self'", ...policy.frames] : ["'none'"];
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    ['img-src', "'self'", 'data:', ...policy.img].join(' '),
    "font-src 'self'",
    ['connect-src', "'self'", ...policy.connect].join(' '),
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    ['frame-ancestors', ...frames].join(' '),
    "require-trusted-types-for 'script'",
  ].join('; ');
}

const YEAR_OF_TLS = 'max-age=31536000';

/** Headers of every answer. */
export function safetyHeaders(server: DashboardSettings['server']): Record<string, string> {
  const { safety } = server;
  const transport = safety.transport ?? (server.tls === null ? null : YEAR_OF_TLS);
  return {
    'x-content-type-options': safety.contentTypes,
    'referrer-policy': safety.referrers,
    'cross-origin-opener-policy': safety.openers,
    'permissions-policy': safety.permissions,
    ...(transport === null ? {} : { 'strict-transport-security': transport }),
    ...(server.isEmbeddable && server.policy.frames.length > 0
      ? {}
      : { 'x-frame-options': server.isEmbeddable ? 'SAMEORIGIN' : 'DENY' }),
    ...server.customHeaders,
  };
}
