import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { login, logout, me } from './calls/login.js';
import { setUp } from './calls/setup.js';
import { status } from './calls/status.js';
import { callerOf, type DashboardContext, privilegeUserOf } from './context.js';
import { NoAnswerError, NoHostError } from './cluster/cluster-client.js';
import { slownessOf } from './cluster/readiness.js';
import { createExport } from './export/export-all.js';
import { LOG_IN } from './guard/refusal.js';
import { refusalOf, sendJson, sendRefusal } from './http-answers.js';
import { addSavedObjects } from './saved-objects/calls.js';
import { appPage, loginPage, logoutPage, notReady, rootPage, sendAsset } from './pages/routes.js';

const urlOf = (request: Request): URL => new URL(request.url, 'http://dashboard.invalid');

/** Pages and own calls. The way through to the cluster is dispatched before (`server.ts`). */
export function createApp(context: DashboardContext): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.get('/assets/:name', (request, answer) => sendAsset(context, request, answer, request.params.name));
  app.get('/api/status', (request, answer) => status(context, answer, isKnown(context, request)));
  app.post('/api/setup', (request, answer) => setUp(context, request, answer));
  app.use((request, answer, next) => {
    const { state } = context.watch.current();
    if (state === 'ready' || state === 'lost') return next();
    notReady(context, request, answer, /^\/(?:api|internal)\//.test(request.path));
  });
  addPages(app, context);
  addCalls(app, context);
  addSavedObjects(app, context);
  app.use((request, answer) => {
    sendRefusal(answer, { status: 404, message: `There is nothing at [${request.path}].` });
  });
  app.use((error: unknown, _request: Request, answer: Response, _next: NextFunction) => {
    answerError(context, answer, error);
  });
  return app;
}

function addPages(app: Express, context: DashboardContext): void {
  app.get('/', (request, answer) => rootPage(context, request, answer, urlOf(request)));
  app.get('/login', (request, answer) => loginPage(context, request, answer, urlOf(request)));
  app.get('/logout', (_request, answer) => logoutPage(context, answer));
  app.get('/app/*path', (request, answer) => appPage(context, request, answer, urlOf(request)));
}

function addCalls(app: Express, context: DashboardContext): void {
  app.post('/internal/security/login', (request, answer) => login(context, request, answer));
  app.post('/api/security/logout', (request, answer) => logout(context, request, answer));
  app.get('/internal/security/me', (request, answer) => me(context, request, answer));
  app.get('/api/ping', (request, answer) => {
    if (callerOf(context, request, { isUse: false, isApi: true }).kind === 'nobody') return sendRefusal(answer, LOG_IN);
    const readiness = context.watch.current();
    const { state, look, answeredAtMs } = readiness;
    const health = look.kind === 'answered' ? look.health : null;
    sendJson(answer, 200, { state, health, answered_at: answeredAtMs, slow: slownessOf(readiness) });
  });
  app.post('/api/export', createExport(context));
  app.get('/api/home', async (request, answer) => {
    const caller = callerOf(context, request, { isUse: true, isApi: true });
    if (caller.kind === 'nobody') return sendRefusal(answer, LOG_IN);
    if (!(await context.privileges.may(privilegeUserOf(caller), 'monitor')))
      return sendRefusal(answer, { status: 403, message: 'This page needs the cluster privilege [monitor].' });
    const { readings, isCurrent } = context.readings.read();
    sendJson(answer, 200, { is_current: isCurrent, now: context.clock.now(), readings });
  });
}

function isKnown(context: DashboardContext, request: IncomingMessage): boolean {
  if (context.settings.isStatusAnonymous || request.headers.authorization !== undefined) return true;
  return callerOf(context, request, { isUse: false, isApi: false }).kind !== 'nobody';
}

/** 4xx for what the caller did, 503 for a cluster that does not answer; a defect is logged and tells nothing. */
function answerError(context: DashboardContext, answer: ServerResponse, error: unknown): void {
  if (answer.headersSent) return void answer.destroy();
  const refusal = refusalOf(error);
  if (refusal !== null) return sendRefusal(answer, refusal);
  if (error instanceof NoHostError || error instanceof NoAnswerError) {
    void context.watch.look();
    return sendRefusal(answer, { status: 503, message: `The cluster does not answer: ${error.message}` });
  }
  context.log.write('error', 'a request failed by a defect', { error });
  sendRefusal(answer, { status: 500, message: 'The dashboard failed; its log tells why.' });
}
