import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DashboardContext } from '../context.js';
import { cookieHeader } from './login.js';

const context = (isCookieSecure: boolean): DashboardContext =>
  ({
    settings: {
      server: { basePath: '/kibana' },
      sessions: { cookieName: 'sid', isCookieSecure, sameSite: 'Lax' },
    },
  }) as unknown as DashboardContext;

test('no script reads the cookie of a session, and no other site sends it', () => {
  assert.equal(cookieHeader(context(false), 'x'), 'sid=x; Path=/kibana; HttpOnly; SameSite=Lax');
  assert.equal(cookieHeader(context(true), ''), 'sid=; Path=/kibana; HttpOnly; SameSite=Lax; Secure; Max-Age=0');
});
