// What holds for every response, problems and faults included: a request id that is ours, headers that keep browsers careful, no cache.
import type { Context, Next } from 'hono';
import { createMiddleware } from 'hono/factory';
import { NONCE, secureHeaders } from 'hono/secure-headers';
import type { AppEnv } from './context.ts';

/** Names the request; never by what the client sent. */
export const requestId = createMiddleware<AppEnv>(async (c, next) => {
  c.set('requestId', crypto.randomUUID());
  await next();
  c.res.headers.set('x-request-id', c.get('requestId'));
});

/** Answers are of this moment and of this credential. */
export const noStore = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store');
});

const apiHeaders = secureHeaders({
  xFrameOptions: 'DENY',
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
});

/** The page of `/docs` runs its own script and asks only this host. Its styles stand in the page, and so does its start-up script, by a nonce. */
const docsHeaders = secureHeaders({
  xFrameOptions: 'DENY',
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'", NONCE],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    workerSrc: ["'self'", 'blob:'],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/** Nothing that the API answers may run, load or be framed. */
export const careful = (c: Context, next: Next): Promise<Response | void> => (c.req.path === '/docs' ? docsHeaders : apiHeaders)(c, next);
