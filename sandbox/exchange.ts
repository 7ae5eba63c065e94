// One request to the provider and its answer, as the modes see it. Everything a mode can do is a method here.
import type { ServerResponse } from 'node:http';
import { errorBody, objectFor } from './objects.ts';
import type { Failure } from './objects.ts';
import type { Effect, JsonRecord, RequestRecord, Route } from './records.ts';
import type { Workshop } from './workshop.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const HTML_PAGE = '<!doctype html><title>Gateway</title><p>This page is not the answer of an API.</p>';

export interface ModeOptions {
  /** For the slow modes: how long. */
  readonly ms?: number;
  /** For `rate_limited`: seconds, as the header says them. */
  readonly retryAfter?: number | string;
}

export class Exchange {
  readonly route: Route;
  readonly options: ModeOptions;
  readonly #shop: Workshop;
  readonly #record: RequestRecord;
  readonly #response: ServerResponse;

  constructor(shop: Workshop, record: RequestRecord, response: ServerResponse, options: ModeOptions) {
    this.route = record.route === 'unknown' ? 'readback' : record.route;
    this.options = options;
    this.#shop = shop;
    this.#record = record;
    this.#response = response;
  }

  /** The effect happens, here and now, whatever its idempotency key. */
  commit(status = 'succeeded'): JsonRecord {
    const entry = this.#enter(status, true);
    this.#record.committed = true;
    this.#shop.moments.tell('commits', this.route, entry);
    return entry.object;
  }

  /** A refund that failed at once: no effect, and yet the provider lists it. */
  commitNothing(): JsonRecord {
    return this.#enter('failed', false).object;
  }

  answer(status: number, body: JsonRecord, headers: { readonly [name: string]: string } = {}): void {
    this.#send(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
  }

  fail(failure: Failure, headers: { readonly [name: string]: string } = {}): void {
    this.answer(failure.status, errorBody(this.route, failure), headers);
  }

  html(status: number, headers: { readonly [name: string]: string } = {}): void {
    this.#send(status, HTML_PAGE, { ...HTML, ...headers });
  }

  empty(status: number): void {
    this.#send(status, '', { 'content-type': 'application/json' });
  }

  drop(): void {
    this.#response.socket?.destroy();
  }

  /** Resolves after `ms` of the options; the provider does not notice that its caller is gone. */
  pause(): Promise<void> {
    return this.#shop.pause(this.options.ms ?? 1_000);
  }

  /** Resolves when the route is released. */
  held(): Promise<void> {
    return this.#shop.hold(this.route);
  }

  #enter(status: string, effect: boolean): Effect {
    if (this.route === 'readback') throw new Error('a read-back has no effect');
    const { correlation, idempotencyKey, charge, amountCents, to } = this.#record.asked;
    const object = objectFor(this.route, this.#record.asked, status);
    return this.#shop.ledger.add({ effect, route: this.route, correlation, idempotencyKey, charge, amountCents, to, object });
  }

  #send(status: number, body: string, headers: { readonly [name: string]: string }): void {
    if (this.#response.destroyed || this.#response.headersSent) return;
    this.#response.writeHead(status, headers);
    this.#response.end(body);
  }
}
