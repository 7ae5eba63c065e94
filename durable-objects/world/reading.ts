// Responsibility: what can be read of a world: frames, objects, transitions, its summary.
// Boundary: projections of the kernel over the store; scope and roles decide; nothing here writes.
// Invariants: what is out of scope reads like what is not there; a page has a bound.
import { compile, inScope, Draft, canonical, isBareType, isObjectId, LIMITS, worldObject } from '../../src/kernel/index.ts';
import type { Json } from '../../src/kernel/index.ts';
import type { ObserveQuery, Principal, Reply } from '../../src/protocol/rpc.ts';
import { actorIn } from './actor.ts';
import type { Cursors } from './cursor.ts';
import type { Machine } from './machine.ts';
import { json, objectReply, problemReply } from './replies.ts';

export class Reading {
  readonly #machine: Machine;
  readonly #cursors: Cursors;

  constructor(machine: Machine, cursors: Cursors) {
    this.#machine = machine;
    this.#cursors = cursors;
  }

  describe(): Reply {
    const { sealed, store } = this.#machine;
    const { name, version } = sealed.manifest;
    const { sequence, hash } = store.head();
    return json(200, { world: store.world, manifest: { name, version, hash: sealed.hash }, status: 'open', head: { sequence, hash } });
  }

  observe(principal: Principal, query: ObserveQuery): Reply {
    const { sealed, store } = this.#machine;
    const since = query.since === null ? null : this.#cursors.read(principal.actor, query.since);
    if (since !== null && since.kind !== 'seen')
      return problemReply(422, 'the cursor is not one of this world and actor', [{ path: 'query.since', code: 'invalid_cursor' }]);
    const maxBytes = Math.min(query.maxBytes ?? sealed.manifest.frame.maxBytes, sealed.manifest.frame.maxBytes);
    const request = {
      actor: actorIn(sealed, principal),
      now: this.#machine.now(),
      task: query.task,
      focus: query.focus,
      since: since === null ? null : since.sequence,
      maxBytes,
    };
    const unseen = [query.task, query.focus].find((id) => id !== null && !this.#visible(principal, id));
    if (unseen !== undefined) return problemReply(404, 'there is no such object in your scope');
    const { frame, sequence } = compile(sealed, store, request);
    const whole = { ...frame, cursor: this.#cursors.make(principal.actor, sequence, '*') };
    const bytes = canonical(whole as unknown as Json).length;
    return json(200, { ...whole, bytes });
  }

  object(principal: Principal, id: string): Reply {
    const { sealed, store } = this.#machine;
    const object = isObjectId(id) ? store.object(id) : undefined;
    const at = this.#machine.now();
    const actor = actorIn(sealed, principal);
    if (object === undefined || !inScope(new Draft(sealed, store, at), actor, object)) return problemReply(404, 'there is no such object in your scope');
    return objectReply({ sealed, view: store, actor, at, cursors: this.#cursors }, object);
  }

  objects(principal: Principal, query: { readonly type: string | null; readonly after: string | null; readonly limit: number }): Reply {
    const { sealed, store } = this.#machine;
    const { type, after } = query;
    if (type !== null && !isBareType(type)) return problemReply(422, 'the query does not fit', [{ path: 'query.type', code: 'pattern' }]);
    const limit = Math.min(query.limit, LIMITS.pageMax);
    const draft = new Draft(sealed, store, this.#machine.now());
    const actor = actorIn(sealed, principal);
    const page = type === null ? store.all(after, limit) : store.ofType(type, after, limit);
    const objects = page.filter((object) => inScope(draft, actor, object)).map((object) => worldObject(draft, actor, object, false));
    return json(200, { objects, next: page.length < limit ? null : (page.at(-1)?.id ?? null) });
  }

  transitions(principal: Principal, query: { readonly after: number; readonly limit: number; readonly ndjson: boolean }): Reply {
    const { sealed, store } = this.#machine;
    const { roles } = sealed.manifest;
    const may = actorIn(sealed, principal).roles.some((role) => Object.hasOwn(roles, role) && roles[role]?.readsLog === true);
    if (!may) return problemReply(403, 'your roles do not read the transitions');
    const limit = Math.min(query.limit, LIMITS.pageMax);
    const rows = store.transitions(query.after, limit);
    const last = rows.at(-1)?.sequence;
    const next = rows.length < limit || last === undefined ? null : last;
    if (query.ndjson) return { status: 200, body: rows.map(({ text }) => `${text}\n`).join(''), contentType: 'application/x-ndjson' };
    return { status: 200, body: `{"transitions":[${rows.map(({ text }) => text).join(',')}],"next":${next}}`, contentType: 'application/json' };
  }

  #visible(principal: Principal, id: string): boolean {
    const { sealed, store } = this.#machine;
    const object = isObjectId(id) ? store.object(id) : undefined;
    return object !== undefined && inScope(new Draft(sealed, store, this.#machine.now()), actorIn(sealed, principal), object);
  }
}
