// What the figures are compared with: an object that does one insert and one update per request, and nothing else.
import { DurableObject } from 'cloudflare:workers';

export class Bare extends DurableObject {
  readonly #sql: SqlStorage;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#sql.exec('CREATE TABLE IF NOT EXISTS log (n INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL)').toArray();
    this.#sql.exec('CREATE TABLE IF NOT EXISTS object (id TEXT PRIMARY KEY, revision INTEGER NOT NULL, body TEXT NOT NULL)').toArray();
    this.#sql.exec("INSERT INTO object (id, revision, body) VALUES ('one', 1, '') ON CONFLICT DO NOTHING").toArray();
  }

  async write(body: string): Promise<{ readonly status: number; readonly body: string }> {
    const revision = this.ctx.storage.transactionSync(() => {
      this.#sql.exec('INSERT INTO log (body) VALUES (?)', body).toArray();
      this.#sql.exec("UPDATE object SET revision = revision + 1, body = ? WHERE id = 'one'", body).toArray();
      return this.#sql.exec<{ revision: number }>("SELECT revision FROM object WHERE id = 'one'").one().revision;
    });
    return { status: 200, body: JSON.stringify({ revision }) };
  }

  async read(): Promise<{ readonly status: number; readonly body: string }> {
    return { status: 200, body: JSON.stringify(this.#sql.exec("SELECT revision, body FROM object WHERE id = 'one'").one()) };
  }
}
